import SourceText
import Testing

@testable import ScenarioCore

@Suite("What multiplies without end") struct LimitTests {
  private func messages(_ files: [String: String], casesLimitBytes: Int? = nil) -> [String] {
    var decoder = ScenarioDecoder(files: FilesInMemory(contents: files))
    if let casesLimitBytes { decoder.casesLimitBytes = casesLimitBytes }
    let file = SourceFile(path: "a.json", text: files["a.json"] ?? "")
    return decoder.decode(file).diagnostics.map(\.message)
  }

  @Test("is an error: variables that double", .timeLimit(.minutes(10)))
  func variables() {
    var variables = [#""v0": "\#(String(repeating: "x", count: 64))""#]
    for number in 1...40 {
      variables.append(#""v\#(number)": "${v\#(number - 1)}${v\#(number - 1)}""#)
    }
    let text =
      #"{"variables": {\#(variables.joined(separator: ","))}, "actions": [{"tap": "${v40}"}]}"#
    #expect(
      messages(["a.json": text]) == [
        "With its variables and steps files written out, the scenario is longer than 16 MiB. Use "
          + "them less, or split it."
      ])
  }

  @Test("is an error: steps files that use each other very deep")
  func chain() {
    var files = ["a.json": #"{"actions": [{"use": "0.json"}], "expected": []}"#]
    for number in 0..<4000 {
      files["\(number).json"] = #"{"actions": [{"use": "\#(number + 1).json"}]}"#
    }
    #expect(
      messages(files) == [
        "Steps files use each other more than 64 deep. Use them from fewer levels."
      ])
  }

  @Test("is an error: a long scenario with very many cases", .timeLimit(.minutes(10)))
  func cases() {
    let text =
      #"{"cases": "t.csv", "description": "\#(String(repeating: "x", count: 128 << 10))","#
      + #" "actions": [{"tap": "${id}"}], "expected": []}"#
    let table = "id\n" + (0..<1000).map { "\($0)\n" }.joined()
    #expect(
      messages(["a.json": text, "t.csv": table], casesLimitBytes: 8 << 20) == [
        "Written out, the cases up to this one come to more than 8 MiB. Split them into several "
          + "files."
      ])
  }

  @Test("is told 500 times at most: faults in one string", .timeLimit(.minutes(10)))
  func faults() {
    let names = (0..<20_000).map { "${v\($0)}" }.joined()
    let found = messages(["a.json": #"{"actions": [{"tap": "\#(names)"}], "expected": []}"#])
    #expect(found.count == DiagnosticCollector.limit + 1)
    #expect(found.contains("More than 500 faults were found; these are the first."))
  }
}
