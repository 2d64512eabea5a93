/// What an app can do wrong.
enum Fault: String, CaseIterable {
  /// Nothing: the control.
  case none
  case abort
  case segmentationFault
  case exitWith0
  case exitWith3
  /// Exits with 3 at the end of its stdin.
  case exitWith3AtEnd
  case hang
  /// Hangs, and does not heed SIGTERM.
  case hangIgnoringTermination
  /// Does not end at the end of its stdin.
  case stayAtEnd
  case floodOutput
  case floodError
  case closeInput
  case closeOutput
  /// Leaves a child in its process group.
  case leaveChild
  /// Leaves a child in a session of its own.
  case leaveDaemon
  /// Leaves a child that holds the pipes.
  case leaveChildWithPipes
  /// Leaves a child in a session of its own, with an empty environment.
  case leaveNamelessDaemon
  /// Leaves a child in a session of its own, with an empty environment and other limits.
  case leaveDisguisedDaemon
  /// Leaves a child whose first thread has ended.
  case leaveThreadedChild
  /// Leaves a child that never stops writing to the pipes.
  case leaveFloodingChild
  /// Leaves a child that ends once the app has ended.
  case leaveEndingChild
  case tornStoreLine
  case damagedStoreLine
  case garbageOutput
  case invalidUTF8Output
  case wrongIdentifier
  case answerTwice
  case answerAhead
  case errorWithoutCode
  case answerHalf
  case standardError
  case notFoundError
  case otherProtocolVersion
  case noVerbs
  /// Sends one request that nobody expects, by a bare line of the store.
  case sendRequest
  case appendBareLine
  /// Says the value of the variable TOKEN in many ways, and sends it.
  case leakToken
  /// Says what a terminal or a CI server would obey.
  case sayCommands
  /// Nothing: tells how it was launched.
  case tellLaunch
}
