/// Everything that starting an app needs.
struct LaunchPlan: Sendable {
  /// An absolute path.
  var program: String
  /// Without the program's name.
  var arguments: [String]
  /// The whole environment: nothing is inherited.
  var environment: [String: String]
  var workingDirectory: String
  /// A text that only the environments of this launch hold: by it, what the app started is known.
  var marker: String
  /// Whether the app leads a process group of its own.
  var hasOwnGroup = true
}
