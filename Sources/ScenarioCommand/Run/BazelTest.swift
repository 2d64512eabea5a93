import Foundation

/// What Bazel tells a test through its environment, and wants of it.
///
/// The rules are those of its test encyclopedia, bazel.build/reference/test-encyclopedia.
struct BazelTest {
  /// The only folder in which a test may leave anything.
  let temporaryDirectory: String
  private let environment: [String: String]

  /// - Returns: `nil` where the command is not run by Bazel, which always sets these two; the first
  ///   alone is known elsewhere too.
  init?(environment: [String: String]) {
    guard let folder = environment["TEST_TMPDIR"], !folder.isEmpty,
      environment["TEST_SRCDIR"] != nil
    else { return nil }
    temporaryDirectory = folder
    self.environment = environment
  }

  /// Where Bazel wants the JUnit report.
  var reportPath: String? { value("XML_OUTPUT_FILE") }

  /// The text of `--test_filter`.
  var filter: String? { value("TESTBRIDGE_TEST_ONLY") }

  /// `--test_runner_fail_fast`
  var stopsAtFirstFailure: Bool { value("TESTBRIDGE_TEST_RUNNER_FAIL_FAST") == "1" }

  /// Says that shards are supported: without the file, Bazel takes a sharded test for failed.
  func announceSharding() throws(CommandFailure) {
    guard let path = value("TEST_SHARD_STATUS_FILE") else { return }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0, futimens(descriptor, nil) == 0 else {
      throw CommandFailure("TEST_SHARD_STATUS_FILE names \"\(path)\", which can't be written.")
    }
    close(descriptor)
  }

  private func value(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
