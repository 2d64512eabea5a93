import Foundation
import TestSupport
import Testing

@Suite(
  "The world of an app as built", .waitsForPrograms, .enabled(if: BuiltProgram.reachesWholeApp))
struct WorldTests {
  private func run(_ scenario: String, _ options: String...) throws -> BuiltProgram.Outcome {
    let folder = try FileFolder(["a.json": scenario])
    defer { folder.remove() }
    let program = BuiltProgram("scenario-run")
    let path = folder.path + "/a.json"
    return options.count == 2
      ? try program.run(path, options[0], options[1]) : try program.run(path)
  }

  /// The label of an element, from the message of an assertion that nothing can meet.
  private func label(
    _ element: String, _ keys: String = "", _ options: [String] = ["--color", "never"]
  ) throws -> String {
    let scenario = """
      { "app": "settling-app", \(keys) "expected": [],
        "actions": [{ "assertText": "\(element)", "equals": "?" }] }
      """
    let words = try run(scenario, options[0], options[1]).output
      .split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    let message = try #require(words.firstMatch(of: /is "(.*?)", not/), "\(words)")
    return String(message.1)
  }

  @Test("random numbers of every kind are the same in every run, and others with another seed")
  func random() throws {
    let first = try label("random")
    #expect(try label("random") == first)
    let other = try label("random", "", ["--seed", "7"])
    #expect(other != first)
    #expect(try label("random", "", ["--seed", "7"]) == other)
  }

  @Test("a failure names the seed that was asked for")
  func seedOfFailure() throws {
    let scenario = """
      { "app": "settling-app", "expected": [{ "url": "/never", "count": 1 }], "actions": [] }
      """
    #expect(try run(scenario, "--seed", "7").output.contains("a.json:1 --seed 7\n"))
    #expect(try run(scenario, "--seed", "0").output.contains("a.json:1 --seed 0\n"))
    #expect(try !run(scenario).output.contains("seed"))
  }

  @Test("the clocks of the process start at the scenario's date")
  func startDate() throws {
    #expect(try label("time").hasPrefix("2026-01-01T00:00:00Z 86400 86400 true"))
    let date = #""startDate": "2031-07-08T09:10:11Z","#
    #expect(try label("time", date).hasPrefix("2031-07-08T09:10:11Z 86400 86400 true"))
  }

  @Test("an unmet expectation says that a timer is due")
  func hint() throws {
    let scenario = """
      { "app": "settling-app", "expected": [{ "url": "/never", "count": 1 }],
        "actions": [{ "tap": "after" }, { "advanceClock": 0.7 }] }
      """
    let output = try run(scenario).output
    #expect(
      output.contains("the app has a timer that is due in 0.300 s, and 99 more: advance the clock"),
      "\(output)")
  }

  @Test("what an app prints without a newline, and where it likes, doesn't spoil the dialogue")
  func output() throws {
    let folder = try FileFolder([:])
    defer { folder.remove() }
    let scenario = """
      { "app": "settling-app", "expected": [{ "url": "/never", "count": 1 }],
        "actions": [{ "tap": "prints" }, { "tap": "readsInput" }, { "tap": "prints" }] }
      """
    let kept = folder.path + "/kept"
    #expect(try run(scenario, "--keep", kept).exitCode == 1)
    let files = FileManager.default.enumerator(atPath: kept)?.compactMap { $0 as? String } ?? []
    let log = try #require(files.first { $0.hasSuffix("stdout.log") }, "\(files)")
    let text = try String(contentsOfFile: kept + "/" + log, encoding: .utf8)
    let printed = "whole\nand no newline nor here\n"
    #expect(text == printed + "read: nothing\n" + printed)
  }

  @Test("threads that sleep until one time cost little more each where they are many")
  func manySleepers() throws {
    func seconds(_ count: Int) throws -> Double {
      let folder = try ShellFolder([
        "a.json": """
        { "app": "settling-app", "environment": { "PIECES": "\(count)" }, "expected": [],
          "timeout": 120, "actions": [{ "tap": "microsleep" }, { "advanceClock": 2 },
            { "assertText": "done", "equals": "\(count)" }] }
        """
      ])
      defer { folder.remove() }
      // Processor time: what else the machine does isn't counted.
      let run = try folder.bash("TIMEFORMAT='%U %S'; time $RUN a.json --quiet")
      #expect(run.exitCode == 0, "\(run.output)")
      return run.errors.split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }.reduce(0, +)
    }
    let (few, many) = (try seconds(80), try seconds(400))
    #expect(few > 0)
    #expect(many < 12 * few, "400: \(many) s, 80: \(few) s")
  }

  @Test(
    "a session or a timer that was made before the kit's start ends the app with the reason",
    arguments: [
      "earlyShared": "was made", "earlyConfiguration": "was made", "earlyAfter": "used,",
      "earlySource": "used,", "earlyTimer": "used,", "earlyLoop": "used,", "earlyAlarm": "used,",
      "earlyWait": nil, "earlyWork": nil, "none": nil,
    ])
  func early(_ argument: String, word: String?) throws {
    let scenario = #"""
      { "app": "settling-app", "arguments": ["\#(argument)"], "expected": [],
        "actions": [{ "assertText": "done", "equals": "0" }] }
      """#
    let output = try run(scenario).output
    #expect(output.contains(word == nil ? "1 passed" : "1 errored"), "\(output)")
    if let word { #expect(output.contains("\(word) before Harness.run"), "\(output)") }
  }

  @Test("a protocol of the app that sends requests on, as loggers do, ends it with the reason")
  func logger() throws {
    let scenario = """
      { "app": "settling-app", "expected": [], "actions": [{ "tap": "logged" }] }
      """
    let output = try run(scenario).output
    #expect(output.contains("1 errored"), "\(output)")
    #expect(output.contains("a URLProtocol of the app makes a URLSession task"), "\(output)")
  }

  @Test("the process ends without tearing anything down")
  func end() throws {
    let scenario = """
      { "app": "settling-app", "expected": [], "actions": [{ "tap": "crashesAtExit" }] }
      """
    #expect(try run(scenario).exitCode == 0)
  }

  @Test(
    "what the kit of an app can't see is a warning of each result in every report, which --strict lets fail",
    arguments: [false, true])
  func unseen(isStrict: Bool) throws {
    let app = #"""
      #!/bin/sh
      while IFS= read -r line; do
        id=${line#*\"id\":}; id=${id%%[!0-9]*}; result=
        case $line in *\"initialize\"*)
          result='"protocolVersion":1,"app":{"name":"a"},"actions":[],"unseen":["threads","time"]' ;;
        esac
        echo '{"jsonrpc":"2.0","id":'$id',"result":{'$result'}}'
      done
      """#
    let folder = try FileFolder([
      "app.sh": app, ".scenario-run.json": #"{ "app": ["/bin/sh", "app.sh"] }"#,
      "passes.json": #"{ "actions": [{ "terminate": true }], "expected": [] }"#,
      "fails.json":
        #"{ "actions": [{ "terminate": true }], "expected": [{ "url": "/a", "count": 1 }] }"#,
      "ends.json": #"{ "actions": [{ "tap": "a" }] }"#,
    ])
    defer { folder.remove() }
    let reports = ["--junit", "--html", "--ctrf", "--events"]
    let outcome = try folder.run(
      ["passes.json"] + reports.flatMap { [$0, "report\($0)"] } + (isStrict ? ["--strict"] : []))
    #expect(outcome.exitCode == (isStrict ? 1 : 0))
    #expect(outcome.output.contains(isStrict ? "FAILED  passes\n" : "WARNING  passes\n"))
    let words = "the kit can't see everything that this app does: threads, time"
    #expect(outcome.output.contains(words), "\(outcome.output)")
    for report in reports {
      let text = try folder.text("report\(report)").replacing("&#39;", with: "'")
      #expect(text.replacing("&apos;", with: "'").contains(words), "\(report)")
    }
    for file in ["fails.json", "ends.json"] {
      #expect(try folder.run([file]).output.contains(words), "\(file)")
    }
  }
}
