/// A process that an app started and that was still there after it.
package struct Leftover: Sendable, Equatable {
  package var pid: Int32
  /// The program's name.
  package var name: String
}

/// Finds and ends what an app leaves behind.
protocol LeftoverHunting: Sendable {
  /// Starts an app, and knows it from then on as an app of this run, not a leftover.
  ///
  /// - Parameter spawn: is given the mark by which what the app starts is known, see `csystem_spawn`.
  func start(_ spawn: (UInt64) throws(SystemError) -> Int32) throws(SystemError) -> Int32

  /// Ends all that an app started, once the app itself has ended and before it is reaped; then reaps
  /// it.
  ///
  /// - Parameter marker: a text that only this launch's environment holds.
  /// - Returns: what was still there, in the order of the ids.
  func cleanUp(after pid: Int32, marker: String) -> [Leftover]

  /// Ends every app that was started and not cleaned up, without grace.
  func killAll()
}
