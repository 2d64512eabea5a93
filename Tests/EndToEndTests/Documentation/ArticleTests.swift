import Foundation
import Testing

@Suite("The articles for those who write scenarios and apps", .serialized)
final class ArticleTests {
  private static let articles = "Sources/ScenarioCommand/ScenarioCommand.docc/"
  private static let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? ""

  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "scenario-run-articles-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: folder) }

  @Test("show scenarios that pass")
  func scenarios() throws {
    let article = try Article(Self.articles + "WritingScenarios.md")
    #expect(try article.writeScenarios(to: folder).count == 9)
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

    let run = try BuiltProgram("scenario-run").run(
      "--app", BuiltProgram.path(of: "demo-app"), "--fixtures",
      BuiltProgram.packageFolder.appending(path: "Fixtures").path(percentEncoded: false),
      path("Scenarios"))
    #expect(run.output.contains("11 passed in "), "\(run.output)")
    #expect(run.exitCode == 0)
  }

  /// Gives a program a terminal.
  private static let script = "/usr/bin/script"

  @Test(
    "lead to a first scenario, word for word, on a terminal",
    .enabled(
      if: FaultMachine.isLinux && FileManager.default.isExecutableFile(atPath: script),
      "the script of util-linux is not here"))
  func firstScenario() throws {
    let article = try Article(Self.articles + "YourFirstScenario.md")
    let project = try FileFolder([
      ".scenario-run.json": #"{"app": "demo-app", "tracking": ["ad.example.com"]}"#,
      "Scenarios/other.json": "{}", ".build/debug/other": "",
    ])
    defer { project.remove() }
    let package = BuiltProgram.packageFolder.path(percentEncoded: false)
    let links = [
      ".build/debug/scenario-run": BuiltProgram.path(of: "scenario-run"),
      "Fixtures": package + "Fixtures",
    ]
    for (link, target) in links {
      try FileManager.default.createSymbolicLink(
        atPath: project.path + "/" + link, withDestinationPath: target)
    }
    let lines = article.blocks("console").flatMap { $0.split(separator: "\n").map(String.init) }
    let typed = lines.filter { $0.hasPrefix("> ") }.map { $0.dropFirst(2) + "\n" }.joined()
    try project.write(typed, to: "typed")
    var output = ""
    for command in lines.filter({ $0.hasPrefix("$ ") }).map({ $0.dropFirst(2) }) {
      let isPlayed = command.contains(" play ")
      let line = isPlayed ? "\(Self.script) -qec '\(command)' /dev/null < typed" : String(command)
      let outcome = try project.shell(line)
      output += outcome.output + outcome.errors
      let fails = command.hasPrefix(".build") && command.hasSuffix("my-second.json")
      #expect(outcome.exitCode == (fails ? 1 : 0))
    }
    #expect(try article.blocks("json").first == project.text("Scenarios/my-first.json"))
    let said = lines.filter { !$0.hasPrefix("$ ") && !$0.hasPrefix(">") && $0 != "…" }
    var rest = Self.masked(output.replacing("\r", with: ""))[...]
    for line in said.map(Self.masked) {
      let found = try #require(rest.range(of: line), "\(line) in \(rest)")
      rest = rest[found.upperBound...]
    }
  }

  private static func masked(_ text: String) -> String {
    text.replacing(/[0-9]+\.[0-9]{2} s/, with: "TIME")
  }

  @Test("show a line that runs one case alone", arguments: ["carts.json:8", "carts-table.csv:3"])
  func oneCase(place: String) throws {
    try scenarios()
    let list = try BuiltProgram("scenario-run").run("list", path("Scenarios/\(place)"))
    #expect(list.output.hasSuffix("The cart of each ad [second]\n"), "\(list.output)")
  }

  @Test(
    "show an app in another language that passes its scenario",
    .enabled(if: searchPath.split(separator: ":").contains { access("\($0)/python3", X_OK) == 0 }))
  func anyLanguage() throws {
    let article = try Article(Self.articles + "AnAppInAnyLanguage.md")
    #expect(try article.writeScenarios(to: folder) == ["Scenarios/cart.json"])
    let client = try #require(article.blocks("python").first)
    #expect(client.split(separator: "\n", omittingEmptySubsequences: false).count <= 31)
    try Article.write(client, to: folder.appending(path: "shop.py"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: path("shop.py"))
    let configuration = try #require(article.blocks("json").first)
    try Article.write(configuration, to: folder.appending(path: ".scenario-run.json"))

    let run = try BuiltProgram("scenario-run").run(
      path("Scenarios"), environment: ["PATH": Self.searchPath])
    #expect(run.output.contains("1 passed in "), "\(run.output)")
    #expect(run.exitCode == 0)
  }

  private func path(_ name: String) -> String {
    folder.appending(path: name).path(percentEncoded: false)
  }
}
