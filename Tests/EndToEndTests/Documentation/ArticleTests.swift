import Foundation
import TestSupport
import Testing

@Suite("The articles for those who write scenarios and apps", .waitsForPrograms)
final class ArticleTests {
  private static let articles = "Sources/ScenarioCommand/ScenarioCommand.docc/"
  private static let fixtures = BuiltProgram.packageFolder.appending(path: "Fixtures")
    .path(percentEncoded: false)
  private static let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? ""

  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "scenario-run-articles-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: folder) }

  @Test("show scenarios that pass")
  func scenarios() throws {
    try writeScenarios()
    let run = try BuiltProgram("scenario-run").run(
      "--app", BuiltProgram.path(of: "demo-app"), "--fixtures", Self.fixtures, path("Scenarios"))
    #expect(run.output.contains("11 passed in "), "\(run.output)")
    #expect(run.exitCode == 0)
  }

  private func writeScenarios() throws {
    let article = try Article(Self.articles + "WritingScenarios.md")
    #expect(try article.writeScenarios(to: folder).count == 9)
    try Article.write("{}", to: folder.appending(path: ".scenario-run.json"))
    // The same cases once more, from the table.
    let carts = folder.appending(path: "Scenarios/carts.json")
    let list = try String(contentsOf: carts, encoding: .utf8)
    let start = try #require(list.range(of: "\"cases\": ["))
    let end = try #require(list.range(of: "\n  ],\n"))
    let table = list.replacingCharacters(
      in: start.lowerBound..<end.upperBound, with: "\"cases\": \"carts-table.csv\",\n")
    try Article.write(table, to: folder.appending(path: "Scenarios/carts-table.json"))
    let rows = try #require(article.blocks("csv").first)
    try Article.write(rows, to: folder.appending(path: "Scenarios/carts-table.csv"))
  }

  @Test("lead from an SDK's name to exact events, a plan and lint")
  func analytics() throws {
    let article = try Article(Self.articles + "TestingAnalytics.md")
    let json = article.blocks("json")
    let right = #"track "Ad Clicked" '{"adId":"A-1","position":3}'"#
    let wrong =
      #"track "Ad Clicked" '{"adId":"Optional(3)","position":"3"}'; track "Ad Clickd" '{}'"#
    let project = try ShellFolder([
      ".scenario-run.json": json[0], "Fixtures/segment.json": json[1], "Scenarios/ad.json": json[2],
      "Plan/ad-clicked.json": json[4], "Plan/any-event.json": "{}",
      "app.sh": Self.segmentApp.replacing("TRACK", with: right),
    ])
    defer { project.remove() }
    let passed = try project.bash("$RUN Scenarios/ad.json")
    #expect(passed.output.contains("1 passed in TIME"), "\(passed)")
    #expect(passed.exitCode == 0)
    try Article.write(json[3], to: URL(filePath: project.path + "/.scenario-run.json"))
    let planned = try project.bash("$RUN Scenarios/ad.json")
    #expect(planned.output.contains("1 passed in TIME"), "\(planned)")
    try Article.write(
      Self.segmentApp.replacing("TRACK", with: wrong), to: URL(filePath: project.path + "/app.sh"))
    let failed = try project.bash("$RUN Scenarios/ad.json")
    #expect(failed.exitCode == 1)
    let block = try #require(article.blocks("console").first)
    let said = block.split(separator: "\n").dropFirst().filter { $0 != "…" }
      .map {
        $0.trimmingCharacters(in: .whitespaces).replacing(/[0-9]+\.[0-9]{2} s/, with: "TIME")
      }
    var rest = failed.output[...]
    for line in said {
      let found = try #require(rest.range(of: line), "\(line) in \(rest)")
      rest = rest[found.upperBound...]
    }
    #expect(said.count > 8)
  }

  /// Tracks as Segment's SDK does: a queue, flushed in the background, in one batch.
  private static let segmentApp = #"""
    #!/bin/sh
    store=$SIMULATOR_SHARED_RESOURCES_DIRECTORY/storedRequests.jsonl
    batch=
    track() {
      event='{"type":"track","messageId":"m'$id$1'","originalTimestamp":"2026-01-01T00:00:00.00'$id'Z"'
      batch=${batch:+$batch,}$event',"event":"'$1'","properties":'$2'}'
    }
    flush() {
      body=$(printf '{"batch":[%s]}' "$batch" | base64 | tr -d '\n')
      printf '%s\n' '{"url":"https://api.segment.io/v1/b","method":"POST","bodyBase64":"'$body'","action":'$id'}' >> "$store"
    }
    while IFS= read -r line; do
      id=${line#*\"id\":}; id=${id%%[!0-9]*}; result=
      case $line in
        *\"initialize\"*)
          echo '{"url":"https://cdn-settings.segment.com/v1/projects/KEY/settings","action":0,"answer":"stub"}' >> "$store"
          track "Application Opened" '{}'
          result='"protocolVersion":1,"app":{"name":"a"},"actions":["tap","background"],' ;;
        *\"tap\"*) TRACK ;;
        *\"background\"*) flush ;;
      esac
      echo '{"jsonrpc":"2.0","id":'$id',"result":{'$result'"clock":0.00'$id'}}'
    done
    """#

  /// Gives a program a terminal.
  private static let script = "/usr/bin/script"

  @Test(
    "lead to a first scenario, word for word, on a terminal, and to its failure when the app is broken",
    .enabled(
      if: FaultMachine.isLinux && FileManager.default.isExecutableFile(atPath: script),
      "the script of util-linux is not here"),
    .enabled(if: SwiftCompiler.path != nil))
  func firstScenario() throws {
    let article = try Article(Self.articles + "YourFirstScenario.md")
    let source = try #require(
      article.blocks("console").joined().firstMatch(of: /git restore (.+)/)?.output.1)
    let file = String(source)
    let compiler = SwiftCompiler(path: try #require(SwiftCompiler.path))
    let text = try String(
      contentsOf: BuiltProgram.packageFolder.appending(path: file), encoding: .utf8)
    let project = try project([
      file: text,
      "build": try compiler.script(buildingExampleWith: file, as: ".build/debug/demo-app"),
    ])
    defer { project.remove() }
    #expect(try project.shell("git init -q && git add Sources").exitCode == 0)
    let change = try #require(article.blocks.firstIndex { $0.language == "diff" })
    let console = try follow(article.blocks[..<change], in: project)
    #expect(try article.blocks("json").first == project.text("Scenarios/my-first.json"))
    let lines = article.blocks[change].text.split(separator: "\n")
    #expect(lines.map(\.first) == ["-", "+"])
    #expect(text.components(separatedBy: "\(lines[0].dropFirst())\n").count == 2)
    try project.write(text.replacing(lines[0].dropFirst(), with: lines[1].dropFirst()), to: file)
    let failure = try follow(article.blocks[change...], in: project)
    #expect(try project.text(file) == text)
    // The README begins with the same.
    try expect(Article("README.md").blocks.prefix(3), in: console + failure)
  }

  @Test(
    "lead from a capture to a scenario, word for word, on a terminal",
    .enabled(
      if: FaultMachine.isLinux && FileManager.default.isExecutableFile(atPath: script),
      "the script of util-linux is not here"))
  func fromACapture() throws {
    let capture = Self.articles + "Resources/shop.har"
    let captured = try String(
      contentsOf: BuiltProgram.packageFolder.appending(path: capture), encoding: .utf8)
    let project = try project([capture: captured, "Fixtures/other.json": "{}"])
    defer { project.remove() }
    let article = try Article(Self.articles + "FromACapture.md")
    try follow(article.blocks[...], in: project)
    #expect(!project.has("Scenarios/from-capture.json.pending"))
    let fixture = try project.text("Fixtures/shop.har")
    for secret in ["8d1f4b7ac2", "eyJ", "kim.yuna", "c4rt7f"] {
      #expect(captured.contains(secret) && !fixture.contains(secret))
    }
  }

  @Test("sweep a scenario of the example, and a purchase that is sent twice")
  func sweeps() throws {
    let late = "Scenarios/search-live-late-answer.json"
    let settling = BuiltProgram.path(of: "settling-app")
    let project = try FileFolder.ofExample([
      late: try String(
        contentsOf: BuiltProgram.packageFolder.appending(path: late), encoding: .utf8),
      "Scenarios/order.json": """
      { "app": "\(settling)", "actions": [{ "tap": "pay" }],
        "expected": [{ "method": "POST", "url": "/pay", "count": 1 }] }
      """,
    ])
    defer { project.remove() }
    let article = try Article(Self.articles + "RacesFaultsAndRestarts.md")
    let lines = article.blocks("console").flatMap { $0.split(separator: "\n").map(String.init) }
    var output = ""
    for line in lines where line.hasPrefix("$ scenario-run ") {
      let outcome = try project.shell(
        String(line.dropFirst(2)).replacing("scenario-run", with: "$RUN"))
      output += outcome.output
      #expect(outcome.exitCode == (line.hasSuffix("order.json") ? 1 : 0), "\(outcome)")
    }
    var rest = Self.masked(output)[...]
    for line in lines.map(Self.masked) where line != "…" && !line.hasPrefix("$ ") {
      let found = try #require(rest.range(of: line), "\(line) in \(rest)")
      rest = rest[found.upperBound...]
    }
    #expect(!output.isEmpty)
  }

  /// A clone as it is after a build, with the fixtures where no other files are given.
  private func project(_ files: [String: String]) throws -> FileFolder {
    let project = try FileFolder(
      files.merging([
        ".scenario-run.json": #"{"app": "demo-app", "tracking": ["ad.example.com"]}"#,
        ".build/debug/other": "", "Scenarios/other.json": "{}",
      ]) { $1 })
    for program in ["scenario-run", "demo-app"] {
      try FileManager.default.copyItem(
        atPath: BuiltProgram.path(of: program), toPath: project.path + "/.build/debug/" + program)
    }
    if !project.has("Fixtures") { try project.copyFixtures() }
    return project
  }

  private static let question = "help? "

  /// Does what the consoles of an article show, and looks whether it says what they say, in this order.
  ///
  /// - Returns: what it said.
  @discardableResult
  private func follow(
    _ blocks: ArraySlice<Article.Block>, in project: FileFolder
  ) throws -> String {
    let lines = Self.consoleLines(of: blocks)
    var output = ""
    for index in lines.indices where lines[index].hasPrefix("$ ") {
      let command = String(lines[index].dropFirst(2))
      let shown = lines[(index + 1)...].prefix { !$0.hasPrefix("$ ") }
      let answers = shown.compactMap(Self.typed)
      try project.write(answers.map { $0 + "\n" }.joined(), to: "typed")
      let line =
        answers.isEmpty
        ? command.replacing(/^swift build$/, with: "sh build")
        : "\(Self.script) -qec '\(command)' /dev/null < typed"
      let outcome = try project.shell(line)
      output += outcome.output + outcome.errors
      let fails = shown.contains { $0.hasPrefix("FAILED") }
      #expect(outcome.exitCode == (fails ? 1 : 0), "\(command): \(outcome)")
    }
    try expect(blocks, in: output)
    return output
  }

  private func expect(_ blocks: ArraySlice<Article.Block>, in output: String) throws {
    let said = Self.consoleLines(of: blocks).filter {
      !$0.hasPrefix("$ ") && !$0.hasPrefix(">") && $0 != "…"
    }
    var rest = Self.masked(output.replacing("\r", with: ""))[...]
    for line in said.map({ Self.masked(Self.withoutAnswer($0)) }) {
      let found = try #require(rest.range(of: line), "\(line) in \(rest)")
      rest = rest[found.upperBound...]
    }
  }

  private static func consoleLines(of blocks: ArraySlice<Article.Block>) -> [String] {
    blocks.filter { $0.language == "console" }
      .flatMap { $0.text.split(separator: "\n").map(String.init) }
  }

  /// What is typed in a line of a console.
  private static func typed(_ line: String) -> String? {
    if line.hasPrefix("> ") { return String(line.dropFirst(2)) }
    return line.range(of: question).map { String(line[$0.upperBound...]) }
  }

  private static func withoutAnswer(_ line: String) -> String {
    line.range(of: question).map { String(line[..<$0.upperBound]) } ?? line
  }

  private static func masked(_ text: String) -> String {
    text.replacing(/[0-9]+\.[0-9]{2} s/, with: "TIME")
  }

  @Test("show a check that finds identifiers which no source of the app has")
  func identifiers() throws {
    let article = try Article("Sources/AppHarness/AppHarness.docc/KeepingTheScreensEqual.md")
    let check = try #require(article.blocks("sh").first)
      .replacing("scenario-run", with: "\"$RUN\"")
    let declarations = try #require(article.blocks("swift").first)
    let project = try FileFolder([
      "Sources/Shop/Identifiers.swift": declarations,
      "Scenarios/cart.json": #"""
      {"variables": {"part": "count"}, "expected": [], "actions": [
        {"tap": "CartViewController/button:cartButton[0]"},
        {"assertText": "${part}Label", "equals": "1"}, {"swipe": "up", "on": "CartViewController"}]}
      """#,
    ])
    defer { project.remove() }
    let listed = try project.run(["list", "--identifiers", "Scenarios"])
    #expect(listed.output == "CartViewController\ncartButton\ncountLabel\n")
    let passed = try project.shell(check)
    #expect(passed.exitCode == 0 && passed.output == "", "\(passed)")
    try project.write(
      declarations.replacing("cartButton", with: "addButton"), to: "Sources/Shop/Identifiers.swift")
    let failed = try project.shell(check)
    #expect(failed.exitCode == 1)
    #expect(failed.output == "No source has these identifiers:\ncartButton\n")
  }

  @Test("show a line that runs one case alone", arguments: ["carts.json:8", "carts-table.csv:3"])
  func oneCase(place: String) throws {
    try writeScenarios()
    let list = try BuiltProgram("scenario-run").run(
      "list", "--fixtures", Self.fixtures, path("Scenarios/\(place)"))
    #expect(list.output.hasSuffix("The cart of each ad [second]\n"), "\(list.output)")
  }

  @Test(
    "show an app in another language that passes its scenario",
    .enabled(if: searchPath.split(separator: ":").contains { access("\($0)/python3", X_OK) == 0 }))
  func anyLanguage() throws {
    let article = try Article(Self.articles + "AnAppInAnyLanguage.md")
    #expect(
      try article.writeScenarios(to: folder) == [".scenario-run.json", "Scenarios/cart.json"])
    let client = try #require(article.blocks("python").first)
    #expect(client.split(separator: "\n", omittingEmptySubsequences: false).count <= 31)
    try Article.write(client, to: folder.appending(path: "shop.py"))
    let line = try #require(article.blocks("sh").first)
    #expect(try BuiltProgram(path: "/bin/sh").run("-c", "cd '\(path("."))'; \(line)").exitCode == 0)
    let run = try BuiltProgram("scenario-run").run(
      path("Scenarios"), environment: ["PATH": Self.searchPath])
    #expect(run.output.contains("1 passed in "), "\(run.output)")
    #expect(run.exitCode == 0)
  }

  private func path(_ name: String) -> String {
    folder.appending(path: name).path(percentEncoded: false)
  }
}
