import Foundation
import JSON
import RequestMatching
import ScenarioCore
import ScenarioRunner
import SourceText
import StubMappings
import TestSupport
import Testing

@Suite("The code blocks of the documentation", .waitsForPrograms)
struct CodeBlockTests {
  @Test("in Swift compile", .enabled(if: SwiftCompiler.path != nil))
  func swift() async throws {
    var sources: [String] = []
    for article in try Article.all {
      // Files of the package to copy, and its manifest, are built by .ci/adoption.
      let blocks = article.blocks("swift", skippingFiles: true)
      for block in blocks where !block.text.hasPrefix(".testTarget(") {
        // The README and an article may show the same.
        guard !sources.contains(where: { $0.contains(block.text) }) else { continue }
        sources.append(Self.source(block, of: article, number: sources.count))
      }
    }
    #expect(sources.count > 8)
    let compiler = try #require(SwiftCompiler.path)
    let complaints = try await SwiftCompiler(path: compiler).check(sources)
    #expect(complaints == "")
  }

  /// A whole file with the block in it, in which a compiler's messages name the article.
  private static func source(_ block: Article.Block, of article: Article, number: Int) -> String {
    let line = block.line
    func code(_ opening: String = "", _ closing: String = "") -> String {
      let place = opening.isEmpty ? line : line - 1
      return "#sourceLocation(file: \"\(article.path)\", line: \(place))\n"
        + (opening.isEmpty ? "" : opening + "\n") + block.text + closing + "\n"
    }
    if block.text.hasPrefix("import ") { return code() }
    let imports = [
      "AppHarness", "Foundation", "FoundationNetworking", "ScenarioTesting", "XCTest",
    ].map { "#if canImport(\($0))\nimport \($0)\n#endif\n" }.joined()
    let declarations = [
      "extension ", "final class ", "public enum ", "public protocol ", "struct ",
    ]
    if declarations.contains(where: block.text.hasPrefix) { return imports + code() }
    if block.text.hasPrefix("init(") {
      return imports + code("protocol Requirement\(number) {", "}")
    }
    return imports
      + code("@MainActor func example\(number)(_ launch: AppLaunch) async throws {", "}")
  }

  @Test("in JSON are what the command reads")
  func json() throws {
    let folder = try FileFolder([:])
    defer { folder.remove() }
    var count = 0
    for article in try Article.all {
      let own = URL(filePath: folder.path).appending(path: article.path)
      let names = try article.writeScenarios(to: own)
      for name in names {
        let file = own.appending(path: name).path(percentEncoded: false)
        #expect(try Self.problems(file, name) == [], "\(article.path): \(name)")
      }
      let others = article.blocks.filter {
        ["json", "jsonc"].contains($0.language) && !$0.text.hasPrefix("// ")
      }
      for block in others {
        // The article itself makes this fixture.
        let problems = try Self.problems(block.text).filter {
          !$0.contains("The fixture \"shop.har\" does not exist")
        }
        #expect(problems == [], "\(article.path):\(block.line)")
      }
      count += names.count + others.count
    }
    #expect(count > 15)
  }

  private static let decoder = ScenarioDecoder(
    files: LocalFiles(),
    fixturesDirectory: BuiltProgram.packageFolder.appending(path: "Fixtures")
      .path(percentEncoded: false), configuration: configuration)

  /// An example may leave it to the configuration which events there are.
  private static let configuration = {
    var configuration = Configuration()
    configuration.decoders = EventDecoder.builtInNames.compactMap(EventDecoder.builtIn)
    return configuration
  }()

  /// What is wrong with a scenario, or with the configuration, in a file of its own.
  private static func problems(_ file: String, _ name: String) throws -> [String] {
    let source = SourceFile(path: file, bytes: try LocalFiles().bytes(ofFile: file))
    if name == ".scenario-run.json" {
      return texts(ConfigurationDecoder.decode(source).diagnostics)
    }
    // Steps are checked with the scenario that uses them.
    return name.contains("/Steps/") ? [] : texts(decoder.decode(source).diagnostics)
  }

  /// What is wrong with a block, which its keys tell the kind of.
  private static func problems(_ text: String) throws -> [String] {
    let file = SourceFile(path: "block.json", text: text)
    let (node, syntax) = JSONParser.parse(file)
    guard let node, syntax.isEmpty else {
      // Lines of the event stream.
      return try text.split(separator: "\n").compactMap { line in
        try JSONValue(parsing: line.utf8)["kind"] == nil ? "neither a value nor events" : nil
      }
    }
    let keys = Set((node.objectValue ?? []).map(\.key))
    if !keys.isDisjoint(with: ["request", "mappings"]) {
      let diagnostics = DiagnosticCollector()
      var stubs = StubSet()
      stubs.add(file, bodyFiles: NoBodyFiles(), diagnostics)
      return texts(diagnostics.diagnostics)
    }
    if keys.contains("$schema"), keys.contains("properties") {
      let diagnostics = DiagnosticCollector()
      _ = JSONSchema(node, diagnostics)
      return texts(diagnostics.diagnostics)
    }
    if keys.contains("actions") { return texts(decoder.decode(file).diagnostics) }
    if keys.contains("app") { return texts(ConfigurationDecoder.decode(file).diagnostics) }
    // A part of a scenario.
    let whole = text.replacing(/\}\s*$/, with: #", "actions": [{"tap": "a"}]}"#)
    return texts(decoder.decode(SourceFile(path: "block.json", text: whole)).diagnostics)
  }

  private static func texts(_ diagnostics: [Diagnostic]) -> [String] {
    diagnostics.map { "\($0.location?.description ?? ""): \($0.message)" }
  }
}

private struct NoBodyFiles: BodyFiles {
  func problem(withBodyFile name: String) -> (message: String, suggestions: [String])? {
    ("there are none", [])
  }
}
