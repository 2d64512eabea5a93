import Foundation
import TestSupport
import Testing

@Suite(
  "Sweeps of an app with races, as built", .waitsForPrograms,
  .enabled(if: BuiltProgram.reachesWholeApp))
struct SweepTests {
  /// A bug that the undisturbed scenario doesn't show.
  struct Bug: CustomTestStringConvertible, Sendable {
    var name: String
    var kind: String
    var scenario: String
    /// The shortest schedule that shows it.
    var schedule: String
    /// What is told of it.
    var story: String
    var diagnosis: String

    var testDescription: String { name }
  }

  static let bugs = [
    Bug(
      name: "a stale answer overwrites a newer one", kind: "orders",
      scenario: """
        "stubs": "search.json", "unexpected": "allow", "actions": [{ "tap": "searchA" }, { "tap": "searchB" },
          { "assertText": "result", "equals": "b" }], "expected": []
        """,
      schedule: "GET /search?q=b; GET /search?q=a",
      story: "the answer of GET /search?q=b came before",
      diagnosis: #"The text of "result" is "a", not "b"."#),
    Bug(
      name: "a retry after a lost answer bills twice", kind: "faults",
      scenario: """
        "actions": [{ "tap": "pay" }],
        "expected": [{ "method": "POST", "url": "/pay", "count": 1 }]
        """,
      schedule: "POST /pay: lost", story: "the answer of POST /pay was lost on its way",
      diagnosis: "wanted at most 1 delivered, got 2"),
    Bug(
      name: "a queue is saved after sending instead of before", kind: "restarts",
      scenario: """
        "actions": [{ "setNetwork": "offline" }, { "tap": "track" }, { "setNetwork": "online" }],
        "expected": [{ "url": "/event?n=0", "delivered": 1 }]
        """,
      schedule: "restart after action 2",
      story: "the app was killed and launched again after action 2, tap track",
      diagnosis: "wanted 1 delivered, got 0"),
    Bug(
      name: "the answer of a cancelled request still counts", kind: "orders",
      scenario: """
        "actions": [{ "tap": "load" }, { "tap": "cancel" }, { "assertText": "result", "equals": "cancelled" }],
        "expected": [{ "url": "/load", "count": 1 }]
        """,
      schedule: "after action 2; GET /load",
      story: "action 2, tap cancel, came before the answer of GET /load",
      diagnosis: #"The text of "result" is "loaded", not "cancelled"."#),
    Bug(
      name: "an impression is fired by the earlier of two pages", kind: "orders",
      scenario: """
        "actions": [{ "tap": "pages" }],
        "expected": [{ "url": "/page?n=1", "count": 1 }, { "url": "/page?n=2", "count": 1 },
          { "url": "/seen?n=1", "count": 1 }]
        """,
      schedule: "GET /page?n=2",
      story: "the answer of GET /page?n=2 came before that of GET /page?n=1",
      diagnosis: "/seen?n=1"),
  ]

  private static let stubs = """
    { "mappings": [
      { "request": { "urlPath": "/search", "queryParameters": { "q": { "equalTo": "a" } } },
        "response": { "body": "a" } },
      { "request": { "urlPath": "/search", "queryParameters": { "q": { "equalTo": "b" } } },
        "response": { "body": "b" } } ] }
    """

  private func folder(_ body: String) throws -> FileFolder {
    try FileFolder([
      "a.json": "{ \"app\": \"settling-app\", \(body) }", "Fixtures/search.json": Self.stubs,
      ".scenario-run.json": #"{ "fixturesDirectory": "Fixtures" }"#,
    ])
  }

  @Test(
    "each bug is found with its shortest schedule, told, and replayed the same each time",
    arguments: bugs)
  func bug(_ bug: Bug) throws {
    let folder = try folder(bug.scenario)
    defer { folder.remove() }
    let (program, path) = (BuiltProgram("scenario-run"), folder.path + "/a.json")
    let plain = try program.run(path, "--schedule", "in order")
    #expect(plain.exitCode == 0, "\(plain.output)")
    let swept = try program.run("sweep", bug.kind, path)
    #expect(swept.exitCode == 1, "\(swept.output)")
    #expect(swept.output.contains(bug.story), "\(swept.output)")
    #expect(swept.output.contains(bug.diagnosis), "\(swept.output)")
    #expect(swept.output.contains("a.json:1 --schedule '\(bug.schedule)'\n"), "\(swept.output)")
    let replay = try program.run(path, "--schedule", bug.schedule, "--repeat", "3")
    #expect(replay.exitCode == 1)
    #expect(replay.output.contains("\n3 failed in "), "\(replay.output)")
    #expect(replay.output.components(separatedBy: bug.diagnosis).count > 3, "\(replay.output)")
  }

  @Test("two faults show what one alone doesn't")
  func pairs() throws {
    let folder = try folder(
      #""actions": [{ "tap": "pay" }, { "tap": "pay" }], "#
        + #""expected": [{ "method": "POST", "url": "/pay", "delivered": { "atLeast": 1 } }]"#)
    defer { folder.remove() }
    let (program, path) = (BuiltProgram("scenario-run"), folder.path + "/a.json")
    let single = try program.run("sweep", "faults", path)
    #expect(single.exitCode == 0, "\(single.output)")
    // Those that come first, of 48.
    let pairs = try program.run("sweep", "faults", "--pairs", "--budget", "16", path)
    #expect(pairs.exitCode == 1)
    #expect(
      pairs.output.contains("--schedule 'POST /pay: 500; POST /pay #2: 500'\n"),
      "\(pairs.output)")
  }

  @Test("an app that does something else each time is an error that says what")
  func nondeterministic() throws {
    let app = BuiltProgram.path(of: "demo-app")
    let folder = try FileFolder([
      "a.json": """
      { "app": ["/bin/sh", "-c", "exec '\(app)' -screen items/$$"], "unexpected": "allow",
        "actions": [], "expected": [{ "urlPattern": "https://shop.*", "count": 1 }] }
      """
    ])
    defer { folder.remove() }
    let outcome = try BuiltProgram("scenario-run").run("sweep", "orders", folder.path + "/a.json")
    #expect(outcome.exitCode == 1)
    let difference =
      /The app isn't deterministic, so no schedule shows anything: one run made the request GET (\S+), another one made the request GET (\S+)\./
    let words = outcome.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    let found = try #require(words.firstMatch(of: difference), "\(outcome.output)")
    #expect(found.1.hasPrefix("https://shop.example.com/api/items/") && found.1 != found.2)
  }

  @Test("reports have the sweep, and what failed of it below it")
  func reports() throws {
    let bug = Self.bugs[1]
    let folder = try folder(bug.scenario)
    defer { folder.remove() }
    let outcome = try folder.run([
      "sweep", bug.kind, "a.json", "--junit", "junit.xml", "--html", "page.html",
    ])
    #expect(outcome.exitCode == 1)
    let junit = try folder.text("junit.xml")
    let names = junit.matches(of: /<testcase [^>]*name="([^"]+)"/).map { String($0.1) }
    #expect(names == ["a, under all faults", "a: POST /pay: lost"])
    let page = try folder.text("page.html")
    let tree = try #require(page.range(of: "<ul class=\"schedules\">"))
    #expect(page[..<tree.lowerBound].contains("1 of 4 faults fails, complete"))
    #expect(page[tree.upperBound...].contains(bug.story))
    #expect(page[tree.upperBound...].contains("a.json:1 --schedule"))
  }

  @Test("a schedule in the file is what a run follows")
  func scheduleInFile() throws {
    let bug = Self.bugs[4]
    let folder = try folder("\"schedule\": \"\(bug.schedule)\", \(bug.scenario)")
    defer { folder.remove() }
    let outcome = try BuiltProgram("scenario-run").run(folder.path + "/a.json")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.contains(bug.story), "\(outcome.output)")
    let swept = try BuiltProgram("scenario-run").run("sweep", "orders", folder.path + "/a.json")
    #expect(swept.exitCode == 0)
    #expect(swept.output.contains("It has a \"schedule\" of its own."), "\(swept.output)")
  }

  @Test("an action that fails under the file's own schedule fails; under a sweep's it says nothing")
  func failingAction() throws {
    let body =
      #""actions": [{ "tap": "load" }, { "assertText": "result", "equals": "loaded" }], "#
      + #""expected": [{ "url": "/load", "count": 1 }]"#
    let schedule = "GET /load: timedOut"
    let program = BuiltProgram("scenario-run")
    let disturbed = try folder(body)
    defer { disturbed.remove() }
    let path = disturbed.path + "/a.json"
    for kind in ["faults", "restarts"] {
      let swept = try program.run("sweep", kind, path)
      #expect(swept.exitCode == 0, "\(swept.output)")
    }
    let kept = disturbed.path + "/kept"
    let given = try program.run(path, "--schedule", schedule, "--keep", kept, "--keep-all")
    #expect(given.exitCode == 0, "\(given.output)")
    let line = try disturbed.text("kept/1/run-again.sh")
    #expect(line.contains("'--schedule' '\(schedule)'"), "\(line)")
    let owned = try folder("\(body), \"schedule\": \"\(schedule)\"")
    defer { owned.remove() }
    let outcome = try program.run(owned.path + "/a.json")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.contains("action 2, assertText result: "), "\(outcome.output)")
  }

  @Test("a restart doesn't bring the network back")
  func offline() throws {
    let folder = try folder(
      #""actions": [{ "setNetwork": "offline" }, { "tap": "ping" }], "#
        + #""expected": [{ "urlPath": "/ping", "delivered": 0 }]"#)
    defer { folder.remove() }
    let outcome = try BuiltProgram("scenario-run").run(
      folder.path + "/a.json", "--schedule", "restart after action 1")
    #expect(outcome.exitCode == 0, "\(outcome.output)")
  }

  @Test(
    "independent answers are tried in one order, once each pair was seen, and the budget is held")
  func complete() throws {
    let folder = try folder(
      #""unexpected": "allow", "actions": [{ "tap": "ping" }], "expected": []"#)
    defer { folder.remove() }
    let program = BuiltProgram("scenario-run")
    let all = try program.run("sweep", "orders", folder.path + "/a.json")
    #expect(all.exitCode == 0)
    #expect(all.output.contains("4 orders tried, all hold, complete"), "\(all.output)")
    let some = try program.run("sweep", "orders", "--budget", "2", folder.path + "/a.json")
    #expect(some.exitCode == 0)
    #expect(some.output.contains("2 orders tried, all hold, not complete"), "\(some.output)")
    let none = try program.run("sweep", "faults", "--budget", "1", folder.path + "/a.json")
    #expect(none.output.contains("no fault tried, not complete"), "\(none.output)")
  }

  @Test(
    "a schedule that doesn't fit is an error that says where it diverges",
    arguments: [
      ("GET /never", "part 1 of 1, \"GET /never\", did not occur"),
      ("GET /ping?n=3; GET /never", "part 2 of 2, \"GET /never\", did not occur"),
      ("restart after action 9", "part 1 of 1, \"restart after action 9\", did not occur"),
    ])
  func unfit(_ schedule: String, _ message: String) throws {
    let folder = try folder(
      #""unexpected": "allow", "actions": [{ "tap": "ping" }], "expected": []"#)
    defer { folder.remove() }
    let outcome = try BuiltProgram("scenario-run").run(
      folder.path + "/a.json", "--schedule", schedule)
    #expect(outcome.exitCode == 1)
    let words = outcome.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(words.contains("ERRORED") && words.contains(message), "\(outcome.output)")
  }

  @Test(
    "what can't be swept is refused",
    arguments: [
      (["sweep", "orders", "--budget", "0"], "--budget can't be \"0\""),
      (["sweep", "everything"], "There is no sweep \"everything\""),
      (["sweep"], "Name what to sweep: orders, faults, restarts"),
      (["sweep", "orders", "--pairs"], "--pairs belongs to sweep faults and sweep restarts"),
      (["--schedule", "page 2 first"], "--schedule can't be \"page 2 first\""),
    ])
  func refused(_ arguments: [String], _ message: String) throws {
    let folder = try folder(#""actions": [{ "tap": "ping" }]"#)
    defer { folder.remove() }
    let path = arguments == ["sweep"] ? [] : [folder.path + "/a.json"]
    let outcome = try BuiltProgram("scenario-run").run(arguments + path)
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }
}
