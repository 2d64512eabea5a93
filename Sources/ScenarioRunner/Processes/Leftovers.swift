/// A process that an app started and that was still there after it.
package struct Leftover: Sendable, Equatable, CustomStringConvertible {
  /// 0 where it isn't known.
  package var pid: Int32
  /// The program's name.
  package var name: String

  package var description: String { pid == 0 ? name : "\(name) (process \(pid))" }
}

/// Finds and ends what an app leaves behind.
protocol LeftoverHunting: Sendable {
  /// Starts an app, and knows it from then on as an app of this run, not a leftover.
  ///
  /// - Parameter spawn: is given the mark by which what the app starts is known, see `csupervision_spawn`.
  func start(_ spawn: (UInt64) throws(SystemError) -> Int32) throws(SystemError) -> Int32

  /// Ends all that an app started, once the app itself has ended and before it is reaped; then reaps
  /// it.
  ///
  /// - Parameters:
  ///   - marker: a text that only this launch's environment holds.
  ///   - watch: knows whether anything of the launch is left, whatever it did to hide.
  /// - Returns: what was still there, in the order of the ids.
  func cleanUp(after pid: Int32, marker: String, watch: SealWatch?) -> [Leftover]

  /// Ends every app that was started and not cleaned up, without grace.
  func killAll()
}
