/// What holds for an action whose key is absent.
package enum ActionDefaults {
  /// How long a `longPress` takes.
  package static let pressDuration = Duration.seconds(1)
  /// How long `waitForExistence` and `waitForNonExistence` wait, on the app's clock.
  package static let waitTimeout = Duration.seconds(5)
  /// Whether the user opens what a `push` delivers.
  package static let isTapped = true
}
