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
    #expect(try article.writeScenarios(to: folder).count == 7)
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
    #expect(run.output.contains("9 passed in "), "\(run.output)")
    #expect(run.exitCode == 0)
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
