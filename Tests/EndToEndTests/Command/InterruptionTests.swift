import CSupervision
import Foundation
import TestSupport
import Testing

@Suite("An interrupted run", .waitsForPrograms)
struct InterruptionTests {
  @Test(
    "ends its apps, writes its report, removes its folder, and says so by its exit code",
    arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func interrupted(signal: Int32, exitCode: Int32) throws {
    let folder = try ScenarioFolder(app: #"["faulty-app", "hangIgnoringTermination"]"#)
    defer { folder.remove() }
    let run = try folder.start("--junit", "report.xml", "--events", "-")
    // The action is under way once it is told.
    #expect(run.waitForOutput("tap button"))
    run.send(signal)
    #expect(run.waitForExit() == exitCode)
    #expect(run.output.contains("The run was interrupted by SIG"))
    let report = try String(contentsOfFile: folder.path + "/report.xml", encoding: .utf8)
    #expect(report.contains(#"errors="1""#))
    #expect(folder.leftovers.isEmpty)
    #expect(folder.processes.isEmpty)
  }

  @Test("ends at once when the signal comes again")
  func twice() throws {
    // Ignored from the launch on: the action may be told before the app has it.
    let script = "trap '' TERM; exec '\(BuiltProgram.path(of: "faulty-app"))' hang"
    let folder = try ScenarioFolder(app: #"["sh", "-c", "\#(script)"]"#)
    defer { folder.remove() }
    let run = try folder.start("--events", "-")
    #expect(run.waitForOutput("tap button"))
    let apps = RunningApps(folder)
    #expect(apps.count == 1)
    run.send(SIGINT)
    #expect(run.waitForErrors("Interrupted: ending the apps."))
    run.send(SIGINT)
    #expect(run.waitForExit() == 130)
    // Killed, but maybe a moment longer in dying than the runner.
    #expect(apps.waitForEnd())
    #expect(folder.processes.isEmpty)
  }

  @Test("that is killed leaves no app, and nothing that the next run does not remove")
  func killed() throws {
    let folder = try ScenarioFolder(app: #"["faulty-app", "hangIgnoringTermination"]"#)
    defer { folder.remove() }
    let run = try folder.start("--events", "-")
    #expect(run.waitForOutput("tap button"))
    let apps = RunningApps(folder)
    #expect(apps.count == 1)
    run.send(SIGKILL)
    #expect(apps.waitForEnd())
    _ = run.waitForExit()
    #expect(folder.leftovers.count == 1)
    let next = try folder.start("--filter", "no such name")
    #expect(next.waitForExit() == 4)
    #expect(folder.leftovers.count == 1, "nothing ran, so nothing was touched")
    let another = try folder.start("--timeout", "0.2")
    #expect(another.waitForExit() == 1)
    #expect(folder.leftovers.isEmpty)
  }

  @Test("that is killed leaves reports that say so, and none of an earlier run")
  func reportsOfKilled() throws {
    let folder = try ScenarioFolder(app: #"["faulty-app", "hangIgnoringTermination"]"#)
    defer { folder.remove() }
    let names = ["report.xml", "report.json", "report.html"]
    let options = ["--junit", names[0], "--ctrf", names[1], "--html", names[2]]
    for name in names {
      try Data("an earlier one".utf8).write(to: URL(filePath: folder.path + "/" + name))
    }
    let run = try folder.start(["--events", "-"] + options)
    #expect(run.waitForOutput("tap button"))
    run.send(SIGKILL)
    _ = run.waitForExit()
    for name in names {
      let report = try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
      #expect(
        report.contains("The run has not ended: it still goes on, or it was killed."), "\(name)")
      #expect(!report.contains("an earlier one"), "\(name)")
    }
    let nothing = try folder.start(["--filter", "no such name"] + options)
    #expect(nothing.waitForExit() == 4)
    let report = try String(contentsOfFile: folder.path + "/report.xml", encoding: .utf8)
    #expect(report.contains(#"tests="0" failures="0" errors="0""#))
  }

  @Test("that is killed leaves no daemon either, in a session of its own and without a name")
  func killedWithDaemon() throws {
    let daemon = "env -i setsid sleep 60 </dev/null >/dev/null 2>&1 & echo $! > daemon"
    let app = BuiltProgram.path(of: "faulty-app")
    let folder = try ScenarioFolder(app: #"["sh", "-c", "\#(daemon); exec $0 hang", "\#(app)"]"#)
    defer { folder.remove() }
    let run = try folder.start("--events", "-")
    #expect(run.waitForOutput("tap button"))
    let text = try String(contentsOfFile: folder.path + "/daemon", encoding: .utf8)
    let ends = RunningApps([try #require(Int32(text.trimmingCharacters(in: .newlines)))])
    run.send(SIGKILL)
    #expect(ends.waitForEnd())
    _ = run.waitForExit()
  }

  @Test("a reader that goes away does not end the run badly")
  func closedOutput() throws {
    let app = #"["sh", "-c", "read gone <gone; exec ./app.sh"]"#
    let folder = try ShellFolder([
      "a.json": #"{"app": "./app.sh", "actions": [{"tap": "b"}], "expected": []}"#,
      "b.json": #"{"app": \#(app), "actions": [{"tap": "b"}], "expected": []}"#,
    ])
    defer { folder.remove() }
    // The second scenario goes on once nobody reads any more.
    let run = try folder.bash(
      "mkfifo gone; $RUN a.json b.json --jobs 1 | { read -r line; echo $line; exec <&-; : >gone; }")
    #expect(run.output.hasPrefix("passed a"), "\(run.output)")
    #expect(run.errors == "scenario-run: the console output: nobody reads it any more ")
  }

  @Test("leaks no descriptor, however many apps it launches and whatever becomes of them")
  func descriptors() throws {
    let scenarioRun = BuiltProgram.path(of: "scenario-run")
    let folder = "Tests/EndToEndTests/Command/Descriptors"
    let run = try BuiltProgram(path: "/bin/bash").run(
      "-c", "ulimit -n 48 && \(scenarioRun) \(folder) --jobs 2 --repeat 17 --quiet | tail -1")
    #expect(run.output.hasPrefix("17 passed, 34 errored in "), "\(run.output)")
    #expect(run.errors.isEmpty)
  }
}

/// The apps that a run has started, so that their end can be waited for.
private final class RunningApps {
  private let ends: [Int32]

  convenience init(_ folder: ScenarioFolder) {
    self.init(folder.processes.compactMap { Int32($0) })
  }

  init(_ pids: [Int32]) {
    ends = pids.map { csupervision_exit_descriptor($0) }
  }

  deinit { for end in ends { close(end) } }

  var count: Int { ends.count }

  func waitForEnd() -> Bool {
    ends.allSatisfy { end in
      var end = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
      return poll(&end, 1, -1) == 1
    }
  }
}
