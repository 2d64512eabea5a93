import Foundation
import TestSupport
import Testing

@Suite("The event stream of a run", .waitsForPrograms)
struct EventStreamTests {
  private static let passing =
    #"{"app": ["faulty-app", "none"], "actions": [{"tap": "b"}], "expected": []}"#
  private static let hanging =
    #"{"app": ["faulty-app", "hang"], "actions": [{"tap": "b"}], "expected": []}"#

  private func kinds(_ text: String) throws -> [String] {
    try text.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["version"] as? Int == 1)
      return try #require(object?["kind"] as? String)
    }
  }

  private static let kindsOfAPass = [
    "runStarted", "scenarioStarted", "actionStarted", "scenarioFinished", "runFinished",
  ]

  @Test("has whole lines up to the moment when the run was killed")
  func killed() throws {
    let folder = try FileFolder(["a.json": Self.hanging])
    defer { folder.remove() }
    let run = try folder.start(["a.json", "--events", "-"])
    #expect(run.waitForOutput("tap b"))
    run.send(SIGKILL)
    #expect(run.waitForExit() == SIGKILL)
    let text = run.output
    #expect(text.hasSuffix("\n"))
    #expect(try kinds(text) == ["runStarted", "scenarioStarted", "actionStarted"])
  }

  @Test("can be stdout, which then has nothing else", arguments: ["-", "/dev/stdout", "/dev/fd/1"])
  func standardOutput(path: String) throws {
    let folder = try FileFolder(["a.json": Self.passing])
    defer { folder.remove() }
    let run = try folder.run(["a.json", "--events", path])
    #expect(run.exitCode == 0)
    #expect(try kinds(run.output) == Self.kindsOfAPass)
    #expect(run.errors.contains("1 passed"))
  }

  @Test("can be appended to what stdout is already")
  func appended() throws {
    let folder = try FileFolder(["a.json": Self.passing])
    defer { folder.remove() }
    let run = try folder.shell("echo before > log; $RUN a.json --events /dev/stdout >> log")
    #expect(run.exitCode == 0)
    let log = try folder.text("log")
    #expect(log.hasPrefix("before\n"))
    #expect(try kinds(String(log.dropFirst(7))) == Self.kindsOfAPass)
  }

  @Test("can be a named pipe")
  func namedPipe() throws {
    let folder = try FileFolder(["a.json": Self.passing])
    defer { folder.remove() }
    let run = try folder.shell("mkfifo p; cat p > copy & $RUN a.json --events p && wait")
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(try kinds(folder.text("copy")) == Self.kindsOfAPass)
  }

  @Test("fails the run where its reader is gone, and the console goes on")
  func closedPipe() throws {
    let folder = try FileFolder(["a.json": Self.passing])
    defer { folder.remove() }
    let run = try folder.shell("mkfifo p; exec 3<>p 4>p 3<&-; $RUN a.json --events /dev/fd/4")
    #expect(run.exitCode == 1)
    #expect(run.output.contains("1 passed"))
    #expect(run.errors.contains("scenario-run: the event stream: "))
  }

  @Test("has whole lines where a file may not grow further, and fails the run")
  func fullDisk() throws {
    let folder = try FileFolder(["a.json": Self.passing])
    defer { folder.remove() }
    // One block: some of the lines.
    let run = try folder.shell("ulimit -f 1; $RUN a.json --events events.jsonl")
    #expect(run.exitCode == 1)
    #expect(run.errors.contains("the event stream: "))
    let text = try folder.text("events.jsonl")
    #expect(text.hasSuffix("\n"))
    #expect(try kinds(text) == Array(Self.kindsOfAPass.prefix(try kinds(text).count)))
    #expect(try kinds(text).count < Self.kindsOfAPass.count)
  }
}
