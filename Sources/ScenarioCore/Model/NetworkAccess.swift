/// What becomes of what an app, or a program that it starts, sends past the sessions that the kit
/// intercepts.
package enum NetworkAccess: Sendable, Equatable {
  /// It is refused, and the scenario is errored; for these hosts it is only refused. `*` stands for
  /// any number of characters.
  case sealed(ignoredHosts: [String])
  /// It passes.
  case open
}
