/// Why the command can't do anything: the command line or the configuration is wrong.
struct CommandFailure: Error {
  /// What is wrong and what to do.
  var message: String
  /// Diagnostics that are printed before it.
  var details: String = ""

  init(_ message: String, details: String = "") {
    self.message = message
    self.details = details
  }
}
