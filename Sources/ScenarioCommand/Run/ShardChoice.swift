import Foundation
import ScenarioCore

/// Which shard is run, and who says so: the option, or else the engine that runs the job.
struct ShardChoice: Equatable {
  var shard: Shard
  /// `--shard`, or the variable of the environment.
  var source: String

  /// How an engine numbers its machines.
  private struct Engine {
    var index: String
    var total: String
    var firstIndex: Int
  }

  private static let engines = [
    // Bazel's test protocol.
    Engine(index: "TEST_SHARD_INDEX", total: "TEST_TOTAL_SHARDS", firstIndex: 0),
    // GitLab.
    Engine(index: "CI_NODE_INDEX", total: "CI_NODE_TOTAL", firstIndex: 1),
    Engine(index: "CIRCLE_NODE_INDEX", total: "CIRCLE_NODE_TOTAL", firstIndex: 0),
  ]

  /// - Parameter option: beats the environment; `1/1` switches it off.
  /// - Returns: `nil` where nobody asks for a shard.
  static func choose(
    _ option: Shard?, environment: [String: String]
  ) throws(CommandFailure) -> ShardChoice? {
    if let option { return ShardChoice(shard: option, source: "--shard") }
    for engine in engines {
      if let shard = try shard(of: engine, environment) {
        return ShardChoice(shard: shard, source: engine.index)
      }
    }
    return nil
  }

  private static func shard(
    of engine: Engine, _ environment: [String: String]
  ) throws(CommandFailure) -> Shard? {
    guard let total = environment[engine.total], !total.isEmpty else { return nil }
    let index = environment[engine.index] ?? ""
    // A job alone: GitLab sets the total and no index, CircleCI both.
    if total == "1" { return index.isEmpty ? nil : Shard(index: 1, total: 1) }
    guard let count = Int(total), (1...Shard.totalLimit).contains(count) else {
      throw failure(engine.total, total, "a whole number, 1 to \(Shard.totalLimit)")
    }
    let last = engine.firstIndex + count - 1
    guard let number = Int(index), (engine.firstIndex...last).contains(number) else {
      throw failure(
        engine.index, index,
        "a whole number, \(engine.firstIndex) to \(last), as \(engine.total) "
          + "is \(count)")
    }
    return Shard(index: number - engine.firstIndex + 1, total: count)
  }

  private static func failure(
    _ variable: String, _ value: String, _ wanted: String
  ) -> CommandFailure {
    CommandFailure(
      "The variable \(variable) can't be \"\(value)\". It should be \(wanted). To run everything "
        + "here, use --shard 1/1.")
  }
}

/// What Bazel tells a test through its environment, and expects of it.
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
