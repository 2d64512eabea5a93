import Foundation
import TestSupport
import Testing

extension ScenarioFolder {
  /// What `explain` says of a scenario of this name, in JSON.
  fileprivate func explanation(name: String) throws -> String {
    let scenario =
      #"{"name": "\#(name)", "actions": [], "expected": [{"url": "/none", "count": 0}]}"#
    try Data(scenario.utf8).write(to: URL(filePath: path + "/named.json"))
    let run = try RunningProgram(
      BuiltProgram.path(of: "scenario-run"), ["explain", "named.json"], folder: path,
      environment: [:])
    _ = run.waitForExit()
    return run.output
  }
}

@Suite("Secrets and commands of an app reach no output", .waitsForPrograms)
struct SecretTests {
  private static let token = "t0ken/+ value"

  private func environment(_ folder: ScenarioFolder) -> [String: String] {
    [
      "PATH": "/usr/bin:/bin", "NO_COLOR": "1", "TMPDIR": folder.path + "/tmp",
      "TOKEN": Self.token,
    ]
  }

  private func run(_ folder: ScenarioFolder, _ arguments: [String]) throws -> RunningProgram {
    try RunningProgram(
      BuiltProgram.path(of: "scenario-run"), arguments, folder: folder.path,
      environment: environment(folder))
  }

  /// Every file that the run wrote, with its text.
  private func files(in folder: String) throws -> [(name: String, text: String)] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).compactMap { name in
      guard name != "scenario.json",
        let bytes = FileManager.default.contents(atPath: folder + "/" + name)
      else { return nil }
      return (name, String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test("neither the console, nor a report, nor what is kept")
  func leak() throws {
    let folder = try ScenarioFolder(app: #"["faulty-app", "leakToken"]"#)
    defer { folder.remove() }
    let run = try run(
      folder,
      [
        "scenario.json", "--pass-env", "TOKEN", "--secret", "TOKEN", "--junit", "report.xml",
        "--keep", "kept", "--verbose",
      ])
    #expect(run.waitForExit() == 1)
    #expect(run.output.contains("https://a.example.com/?token=***"), "\(run.output)\(run.errors)")
    let files = try files(in: folder.path)
    let store = try #require(files.first { $0.name.hasSuffix("storedRequests.jsonl") })
    #expect(
      store.text
        == #"{"url":"https://a.example.com/?token=***","headers":{"Cookie":"***","#
        + #""Authorization":"Bearer ***"}}"# + "\n")
    let log = try #require(files.first { $0.name.hasSuffix("stderr.log") })
    #expect(
      log.text == """
        token *** ***
        > Authorization: Bearer ***
        curl -H 'Cookie: ***' https://a.example.com/
        {"Authorization":"Basic dXNlcjp***"}

        """)
    #expect(files.contains { $0.name == "report.xml" })
    for (name, text) in files + [("stdout", run.output), ("stderr", run.errors)] {
      for secret in ["t0ken", "dDBrZW4", "RrZW", "header-value", "cookie-value"] {
        #expect(!text.contains(secret), "\(secret) in \(name)")
      }
    }
  }

  @Test("a secret of the runner isn't a secret of the app: it does not even see it")
  func notPassed() throws {
    let folder = try ScenarioFolder(app: #"["faulty-app", "leakToken"]"#)
    defer { folder.remove() }
    let run = try run(folder, ["scenario.json", "--secret", "TOKEN"])
    #expect(run.waitForExit() == 1)
    #expect(run.output.contains("https://a.example.com/?token=none"))
  }

  @Test("of the environment an app sees what the contract names, and nothing else")
  func wholeEnvironment() throws {
    let folder = try ScenarioFolder(app: #"["faulty-app", "tellLaunch"]"#)
    defer { folder.remove() }
    var environment = environment(folder)
    for name in [
      "HOME", "USER", "SSH_AUTH_SOCK", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "XDG_CONFIG_HOME",
      "SCENARIO_STUBS", "SIMULATOR_SHARED_RESOURCES_DIRECTORY", "lang", "PATHS", "CI",
    ] {
      environment[name] = "of the runner"
    }
    environment["LC_ALL"] = "C"
    environment["TZ"] = "UTC"
    let run = try RunningProgram(
      BuiltProgram.path(of: "scenario-run"), ["scenario.json", "--junit", "a.xml"],
      folder: folder.path, environment: environment)
    #expect(run.waitForExit() == 0, "\(run.output)\(run.errors)")
    let report = try String(contentsOfFile: folder.path + "/a.xml", encoding: .utf8)
    let names = report.matches(of: /\nenv ([^=]*)=/).map { String($0.1) }
    #expect(
      names == [
        "CFFIXED_USER_HOME", "HOME", "LC_ALL", "PATH", "SCENARIO_FIXTURES_DIRECTORY",
        "SCENARIO_RUN", "SCENARIO_SEED", "SCENARIO_START_DATE", "SCENARIO_STUBS",
        "SIMULATOR_SHARED_RESOURCES_DIRECTORY", "SWIFT_DETERMINISTIC_HASHING", "TMPDIR", "TZ",
      ])
    #expect(!report.contains("of the runner"))
  }

  @Test(
    "nor a complaint about the command line, wherever in it the secret is named",
    arguments: [
      ["--secret", "TOKEN", "--jobs", token, "x"], ["--jobs", token, "--secret=TOKEN"],
      ["--\(token)", "--secret", "TOKEN"],
    ])
  func usageError(arguments: [String]) throws {
    let folder = try ScenarioFolder(app: #"["faulty-app", "none"]"#)
    defer { folder.remove() }
    let run = try run(folder, arguments)
    #expect(run.waitForExit() == 2)
    #expect(run.errors.contains("***") && !run.errors.contains("t0ken"), "\(run.errors)")
  }

  @Test(
    "a secret that is missing is told",
    arguments: [
      ("MISSING", "the variable isn't set, so nothing is masked for it."),
      ("EMPTY", "the value is empty, so nothing is masked for it."),
    ])
  func warning(name: String, words: String) throws {
    let folder = try ScenarioFolder(app: #"["faulty-app", "none"]"#)
    defer { folder.remove() }
    let run = try RunningProgram(
      BuiltProgram.path(of: "scenario-run"), ["scenario.json", "--secret", name],
      folder: folder.path, environment: ["PATH": "/bin", "EMPTY": " "])
    #expect(run.waitForExit() == 0)
    #expect(run.errors.hasPrefix("scenario-run: --secret \(name): \(words)"))
    #expect(run.output.contains("1 passed"))
  }

  @Test("one of three characters is refused, by its name alone")
  func short() throws {
    let folder = try ScenarioFolder(app: #"["faulty-app", "none"]"#)
    defer { folder.remove() }
    let run = try RunningProgram(
      BuiltProgram.path(of: "scenario-run"), ["scenario.json", "--secret", "SHORT"],
      folder: folder.path, environment: ["PATH": "/bin", "SHORT": "xq7"])
    #expect(run.waitForExit() == 2)
    #expect(
      run.errors.contains("--secret SHORT: the value of the variable has 3 of the 4 characters"))
    #expect(!(run.output + run.errors).contains("xq7"))
  }

  @Test("what a terminal or a CI server would obey is shown, on stdout and on stderr")
  func commands() throws {
    let folder = try ScenarioFolder(app: #"["faulty-app", "sayCommands"]"#)
    defer { folder.remove() }
    let name = "::error::x\\n::warning::y ##vso[task.complete]"
    let broken = #"{"name": "\#(name)", "actoins ##[error]": ["::add-mask::x"], "expected": []}"#
    try Data(broken.utf8).write(to: URL(filePath: folder.path + "/::error::.json"))
    let runs = try [
      run(folder, [".", "--verbose"]), run(folder, ["list", "."]), run(folder, ["explain", "."]),
      run(folder, ["::error::\n::error::", "--verbose"]), run(folder, ["--::error::\n::x"]),
      run(folder, ["--jobs", "1\n::error::x", "."]),
    ]
    for run in runs {
      _ = run.waitForExit()
      for line in (run.output + run.errors).split(whereSeparator: \.isNewline) {
        let isCommand =
          line.trimmingPrefix(while: \.isWhitespace).hasPrefix("::")
          || ["##[", "##vso[", "##teamcity["].contains { line.contains($0) }
        #expect(!isCommand, "\(line)")
        #expect(
          !line.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
        #expect(!line.contains("\u{202E}"))
      }
    }
    #expect(runs[0].output.contains(#"\u{3A}:error::forged"#))
    #expect(runs[0].output.contains(##"#\u{23}vso[task.complete result=Succeeded;]forged"##))
    #expect(runs[0].errors.contains(##"#\u{23}[error]"##))
    let explained = try folder.explanation(name: "a\\n  1. Forged")
    #expect(explained.contains(#"a\n  1. Forged"#) && !explained.contains("\n  1. Forged"))
  }
}
