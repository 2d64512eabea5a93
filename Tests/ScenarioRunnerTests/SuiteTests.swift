import Foundation
import ScenarioCore
import TestSupport
import Testing

@testable import ScenarioRunner

@Suite("A run of several scenarios", .waitsForPrograms)
struct SuiteTests {
  @Test("goes on when one of them fails, errs or is invalid, in the order of the files")
  func mixed() throws {
    let suite = try Suite()
    let invalid = try suite.folder.write(#"{"actions": [}"#, to: "invalid.json")
    let paths = [
      try suite.scenario(["none"]), try suite.scenario(["sendRequest"]), invalid,
      try suite.scenario(["abort"]), try suite.scenario(["none", "swipe"]),
      try suite.scenario(["hang"], more: #", "skip": "not yet""#),
    ]
    let results = try suite.run(paths)
    #expect(results.map(\.verdict) == [.passed, .failed, .errored, .errored, .passed, .skipped])
    #expect(results.map(\.index) == Array(0..<6))
    #expect(results[2].isOfInvalidFile)
    // Nobody asked for what happened: what passed keeps nothing of it.
    #expect(results.map(\.trace.actions.isEmpty) == [true, false, true, false, true, true])
  }

  @Test("stops after so many that did not pass")
  func maximumFailures() throws {
    let suite = try Suite()
    let paths = try ["sendRequest", "abort", "none"].map { try suite.scenario([$0]) }
    let results = try suite.run(paths, jobs: 1, maximumFailures: 2)
    #expect(results.map(\.verdict) == [.failed, .errored])
  }

  @Test("tries again what did not pass, in a fresh process and folder")
  func retries() throws {
    let suite = try Suite()
    let results = try suite.run([try suite.scenario(["sendRequest"])], retries: 2)
    let result = try #require(results.first)
    #expect(result.verdict == .failed)
    #expect(result.earlierAttempts.map(\.verdict) == [.failed, .failed])
    // A store of an earlier attempt would count twice.
    #expect(result.recordedRequests == 1)
  }

  @Test("each try has a process of its own, and folders in which an earlier one left nothing")
  func freshTries() throws {
    let suite = try Suite()
    let shared = "$SIMULATOR_SHARED_RESOURCES_DIRECTORY"
    let script = """
      echo process $$; echo found $(ls -A $HOME $TMPDIR \(shared) | grep -vc :)
      touch $HOME/mine $TMPDIR/mine; exec '\(Suite.productsFolder)/faulty-app' sendRequest
      """.replacing("\n", with: "; ")
    let path = try suite.folder.write(
      #"{"app": ["sh", "-c", "\#(script)"], "actions": [{"tap": "b"}], "expected": []}"#,
      to: "a.json")
    let result = try #require(try suite.run([path], retries: 3).first)
    let outputs = (result.earlierAttempts + [result]).map { attempt in
      String(decoding: attempt.output.standardOutput.head, as: UTF8.self).split(separator: "\n")
    }
    #expect(Set(outputs.map(\.first)).count == 4)
    // The empty lines that `ls` puts between folders.
    #expect(outputs.map(\.last) == Array(repeating: "found 2", count: 4))
    #expect(result.recordedRequests == 1)
  }

  @Test("does not try again what is invalid or skipped, and stops trying once it passes")
  func noRetries() throws {
    let suite = try Suite()
    let invalid = try suite.folder.write(#"{"actions": [}"#, to: "invalid.json")
    let skipped = try suite.scenario(["hang"], more: #", "skip": "not yet""#)
    let passing = try suite.scenario(["none"])
    let results = try suite.run([invalid, skipped, passing], retries: 5)
    #expect(results.map(\.verdict) == [.errored, .skipped, .passed])
    #expect(results.allSatisfy { $0.earlierAttempts.isEmpty })
  }

  @Test("keeps the shared folder and the logs of what did not pass")
  func keep() throws {
    let suite = try Suite()
    let kept = suite.folder.path + "/kept"
    let results = try suite.run(
      [try suite.scenario(["sendRequest"]), try suite.scenario(["none"])], keepFolder: kept)
    let place = try #require(results[0].keptFolder)
    let store = try String(
      contentsOfFile: place + "/shared/storedRequests.jsonl", encoding: .utf8)
    #expect(store.contains("https://a.example.com/sent"))
    #expect(FileManager.default.fileExists(atPath: place + "/stderr.log"))
    #expect(results[1].keptFolder == nil)
  }

  @Test("finds an app by its bare name where the configuration's package is built")
  func builtApp() throws {
    let folder = try TemporaryFolder()
    let locator = AppLocator(
      executableFolder: "/nowhere", searchPath: "/nowhere/else", baseFolder: folder.path)
    let error = #expect(throws: RunError.self) { try locator.locate("shop") }
    #expect(
      error?.message == "The app \"shop\" is in none of these: /nowhere, PATH, "
        + "\(folder.path)/.build/debug, \(folder.path)/.build/release. Build it, or name it with "
        + "\"app\" or --app.")
    for configuration in ["release", "debug"] {
      let path = try folder.write("", to: ".build/\(configuration)/shop")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      #expect(try locator.locate("shop") == "\(folder.path)/.build/\(configuration)/shop")
    }
  }

  @Test("says what is missing where the app can't be launched")
  func missingApp() throws {
    let suite = try Suite()
    let folder = suite.folder
    let text = try folder.write("text", to: "app.txt")
    let apps = [
      ("nowhere-to-be-found", "is in none of these: "), ("./missing", "is not there"),
      (text, "is not executable"), (folder.path, "is a folder"),
    ]
    let paths = try apps.enumerated().map { index, app in
      try folder.write(
        #"{"app": "\#(app.0)", "actions": [], "expected": [{"url": "/none", "count": 0}]}"#,
        to: "\(index).json")
    }
    let results = try suite.run(paths)
    for (result, app) in zip(results, apps) {
      #expect(result.runErrors.map(\.kind) == [.cannotLaunch])
      #expect(result.runErrors.first?.message.contains(app.1) == true)
    }
  }

  @Test("a relaunch goes on in the same store, a terminate ends the app")
  func relaunch() throws {
    let suite = try Suite()
    let path = try suite.scenario(
      ["sendRequest"],
      actions: """
        [{"tap": "a", "sends": [{"url": "https://a.example.com/sent", "count": 1}]},
         {"relaunch": true},
         {"tap": "b", "sends": [{"url": "https://a.example.com/sent", "count": 1}]},
         {"expectRequests": [{"url": "https://a.example.com/sent", "count": 2}]},
         {"terminate": true}]
        """,
      expected: #"[{"url": "https://a.example.com/sent", "count": 2}]"#)
    let results = try suite.run([path])
    #expect(results.map(\.verdict) == [.passed])
    #expect(results.first?.recordedRequests == 2)
  }
}
