import Foundation
import ScenarioCore
import SourceText
import Testing

@testable import ScenarioReporting

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("The JUnit report")
struct JUnitReportTests {
  private func document(_ result: RunResult, hasFileAttribute: Bool = false) throws -> XMLDocument {
    let text = JUnitReport(result, hasFileAttribute: hasFileAttribute).text
    return try XMLDocument(xmlString: text)
  }

  private func strings(_ document: XMLDocument, _ path: String) throws -> [String] {
    try document.nodes(forXPath: path).map { $0.stringValue ?? "" }
  }

  @Test("counts each verdict")
  func counts() throws {
    let document = try document(Samples.run)
    for (name, count) in [("tests", "7"), ("failures", "3"), ("errors", "1")] {
      #expect(try strings(document, "/testsuites/@\(name)") == [count])
      #expect(try strings(document, "/testsuites/testsuite/@\(name)") == [count])
    }
    #expect(try strings(document, "/testsuites/testsuite/@skipped") == ["1"])
  }

  @Test("has names that are unique in the run, the class from the path, and no file or line")
  func names() throws {
    let document = try document(Samples.run)
    let names = try strings(document, "//testcase/@name")
    #expect(Set(names).count == 7)
    #expect(names.prefix(3) == ["Cart", "Cart (2)", "Cart (3)"])
    #expect(names.last == "Again [one]")
    #expect(try Set(strings(document, "//testcase/@classname")) == ["Scenarios.cart"])
    #expect(try strings(document, "//testcase/@file | //testcase/@line").isEmpty)
    let located = try self.document(Samples.run, hasFileAttribute: true)
    #expect(try Set(strings(located, "//testcase/@file")) == ["Scenarios/cart.json"])
  }

  @Test("says in each suite how the apps were kept from the network, where it isn't by all means")
  func seal() throws {
    for seal in NetworkSeal.allCases {
      var header = RunHeader(
        version: "1", startedAt: .distantPast, scenarioCount: 1, jobs: 1, seal: seal)
      header.shard = Shard(index: 1, total: 2)
      header.whole = ShardedWhole(fingerprint: "f", scenarioCount: 1)
      for isShard in [false, true] {
        if !isShard { (header.shard, header.whole) = (nil, nil) }
        var result = RunResult()
        result.apply(.runStarted(header))
        result.apply(.scenarioFinished(Samples.result()))
        let told = try strings(
          document(result),
          "/testsuites/testsuite/properties/property[@name='scenario-run.network']/@value")
        #expect(told == (seal == .systemCalls ? [] : [SealText.line(seal)]))
      }
    }
  }

  @Test("repeats the message in the text, its place first")
  func message() throws {
    let document = try document(Samples.run)
    let message = "wanted 1, got 0: https://ad.example.com/click?ad=A-1&area=cart"
    #expect(try strings(document, "//testcase[2]/failure/@message") == [message])
    let text = try #require(try strings(document, "//testcase[2]/failure").first)
    #expect(text.hasPrefix("Scenarios/cart.json:2:3: \(message)\n"))
    #expect(text.contains("wanted \"cart\"\n"))
  }

  @Test("survives hostile text, without what XML forbids and without terminal escapes")
  func hostile() throws {
    let document = try document(Samples.run)
    let name = try #require(try strings(document, "//testcase[4]/@name").first)
    #expect(name.hasPrefix("Crash <&\">]]>'"))
    #expect(name.hasSuffix("\nline\u{202E}é한"))
    #expect(!name.contains("[2J") && !name.contains("title"))
    #expect(try strings(document, "//system-out").first?.contains("<&\">]]>'") == true)
    #expect(try strings(document, "//system-err") == ["��\n… 5 bytes left out …\nend"])
  }

  @Test("tells attempts before a pass from those before a failure")
  func attempts() throws {
    let document = try document(Samples.run)
    #expect(try strings(document, "//testcase[6]/flakyFailure/@type") == ["wrongCount"])
    #expect(try strings(document, "//testcase[6]/failure").isEmpty)
    #expect(try strings(document, "//testcase[7]/failure/@type") == ["wrongCount"])
    #expect(try strings(document, "//testcase[7]/rerunError/@type") == ["crashed"])
    let trace = try strings(document, "//testcase[7]/rerunError/stackTrace").first
    #expect(trace?.hasPrefix("Scenarios/cart.json:2:3: The app was ended by SIGSEGV.") == true)
  }

  @Test("has the output of each attempt with it")
  func attemptOutput() throws {
    let first = Samples.result(
      0, verdict: .failed, findings: [Samples.duplicate], output: Samples.output)
    let document = try document(Samples.fold([Samples.result(0, earlier: [first])]))
    #expect(try strings(document, "//flakyFailure/system-out").first?.hasPrefix("out ") == true)
    #expect(try strings(document, "//flakyFailure/system-err").count == 1)
    #expect(try strings(document, "//testcase/system-out").isEmpty)
  }

  @Test("says the first fault of an invalid file in its message")
  func invalidFile() throws {
    let fault = Diagnostic("\"tpa\" isn't a verb.", at: Samples.location)
    let error = RunError(.invalidInput, "It is invalid.", diagnostics: [fault])
    let result = Samples.result(0, verdict: .errored, findings: [.runError(error)])
    let document = try document(Samples.fold([result]))
    #expect(try strings(document, "//error/@message") == ["It is invalid. \"tpa\" isn't a verb."])
  }

  @Test("times are seconds with a point, whatever the locale")
  func times() throws {
    let document = try document(Samples.run)
    #expect(try strings(document, "//testcase[1]/@time") == ["1.234"])
    #expect(try strings(document, "/testsuites/testsuite/@timestamp") == ["2027-01-15T08:00:00"])
  }

  private static let schemaPath = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "../shared/data/junit-10.xsd").path(percentEncoded: false)

  @Test(
    "is valid against Jenkins' schema",
    .enabled(
      if: FileManager.default.fileExists(atPath: schemaPath)
        && FileManager.default.isExecutableFile(atPath: "/usr/bin/xmllint"),
      "the schema or xmllint is not here"))
  func schema() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).xml")
    defer { try? FileManager.default.removeItem(at: file) }
    try ReportFile.write(JUnitReport(Samples.run).text, to: file.path(percentEncoded: false))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/xmllint")
    process.arguments = ["--noout", "--schema", Self.schemaPath, file.path(percentEncoded: false)]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(String(decoding: said, as: UTF8.self))")
  }
}
