import ScenarioCore
import Testing

@testable import ScenarioCommand

@Suite("The engine of the job chooses the shard")
struct ShardChoiceTests {
  @Test(
    "by its own variables and numbers",
    arguments: [
      (["TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "3"], 1, 3, "TEST_SHARD_INDEX"),
      (["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5"], 2, 5, "CI_NODE_INDEX"),
      (["CIRCLE_NODE_INDEX": "4", "CIRCLE_NODE_TOTAL": "5"], 5, 5, "CIRCLE_NODE_INDEX"),
      (["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "1"], 1, 1, "CI_NODE_INDEX"),
      (["CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "1"], 1, 1, "CIRCLE_NODE_INDEX"),
      (
        [
          "CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5", "TEST_SHARD_INDEX": "2",
          "TEST_TOTAL_SHARDS": "3",
        ], 3, 3, "TEST_SHARD_INDEX"
      ),
    ] as [([String: String], Int, Int, String)])
  func engines(environment: [String: String], index: Int, total: Int, source: String) throws {
    let choice = try ShardChoice.choose(nil, environment: environment)
    #expect(choice?.shard == Shard(index: index, total: total))
    #expect(choice?.source == source)
  }

  @Test(
    "unless there is one machine alone, which has no number",
    arguments: [
      [:], ["CI_NODE_TOTAL": "1"], ["CI_NODE_TOTAL": "1", "CI_NODE_INDEX": ""],
      ["CI_NODE_TOTAL": "", "CI_NODE_INDEX": ""],
    ])
  func single(environment: [String: String]) throws {
    #expect(try ShardChoice.choose(nil, environment: environment) == nil)
  }

  @Test("unless the option says another, or that there is none")
  func option() throws {
    let environment = ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5"]
    let choice = try ShardChoice.choose(Shard(index: 1, total: 1), environment: environment)
    #expect(choice?.shard == Shard(index: 1, total: 1))
    #expect(choice?.source == "--shard")
  }

  @Test(
    "and what it can't be is said",
    arguments: [
      (
        ["CI_NODE_INDEX": "6", "CI_NODE_TOTAL": "5"],
        #"The variable CI_NODE_INDEX can't be "6". It should be a whole number, 1 to 5, as "#
          + "CI_NODE_TOTAL is 5. To run everything here, use --shard 1/1."
      ),
      (
        ["TEST_TOTAL_SHARDS": "3"],
        #"The variable TEST_SHARD_INDEX can't be "". It should be a whole number, 0 to 2, as "#
          + "TEST_TOTAL_SHARDS is 3. To run everything here, use --shard 1/1."
      ),
      (
        ["CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "many"],
        #"The variable CIRCLE_NODE_TOTAL can't be "many". It should be a whole number, 1 to 10000."#
          + " To run everything here, use --shard 1/1."
      ),
      (
        ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "9999999999"],
        #"The variable CI_NODE_TOTAL can't be "9999999999". It should be a whole number, 1 to "#
          + "10000. To run everything here, use --shard 1/1."
      ),
    ])
  func mistakes(environment: [String: String], message: String) {
    let failure = #expect(throws: CommandFailure.self) {
      try ShardChoice.choose(nil, environment: environment)
    }
    #expect(failure?.message == message)
  }
}
