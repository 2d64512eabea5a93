import SourceText
import Testing

@testable import ScenarioReporting

/// A line of a log as GitHub's runner reads it (`ActionCommand.TryParseV2` of actions/runner).
struct ReadCommand {
  var name: String
  var properties: [String: String] = [:]
  var message: String

  init?(_ line: String) {
    guard line.hasPrefix("::"), let end = line.dropFirst(2).firstRange(of: "::") else { return nil }
    let head = line[line.index(line.startIndex, offsetBy: 2)..<end.lowerBound]
    let words = head.split(separator: " ", maxSplits: 1)
    name = String(words[0])
    for property in words.count > 1 ? words[1].split(separator: ",") : [] {
      let pair = property.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { properties[String(pair[0])] = Self.property(String(pair[1])) }
    }
    message = Self.message(String(line[end.upperBound...]))
  }

  private static func message(_ text: String) -> String {
    text.replacing("%0D", with: "\r").replacing("%0A", with: "\n").replacing("%25", with: "%")
  }

  private static func property(_ text: String) -> String {
    text.replacing("%0D", with: "\r").replacing("%0A", with: "\n").replacing("%3A", with: ":")
      .replacing("%2C", with: ",").replacing("%25", with: "%")
  }
}

@Suite("A command to GitHub's runner")
struct WorkflowCommandTests {
  @Test(
    "is read as it was meant, in one line",
    arguments: [
      "plain", "<", "\"", "&", "\u{1}", "]]>", "</script>", "a\nb", "a\r\nb", "%", "%0A", "%25",
      "::", "::error::forged", "a,file=b", "title=c", ":", ",", "##[error]x",
    ])
  func escapes(text: String) throws {
    let command = WorkflowCommand(
      kind: .error, file: text, position: SourcePosition(line: 3, column: 5), title: text,
      message: text)
    #expect(!command.line.unicodeScalars.contains { $0 == "\n" || $0 == "\r" })
    let read = try #require(ReadCommand(command.line))
    #expect(read.name == "error")
    #expect(read.properties == ["file": text, "line": "3", "col": "5", "title": text])
    #expect(Array(read.message.utf8) == Array(text.utf8))
  }

  @Test("keeps to what GitHub shows of a message and of a title")
  func limits() throws {
    let long = String(repeating: "한👩‍👩‍👧", count: 3000)
    let command = WorkflowCommand(kind: .notice, title: long, message: long)
    let read = try #require(ReadCommand(command.line))
    #expect(read.message.utf16.count <= 4096 && read.message.utf16.count > 4080)
    #expect((read.properties["title"] ?? "").utf16.count <= 255)
    #expect(read.message.hasSuffix("…"))
  }
}
