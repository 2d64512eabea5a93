import HarnessProtocol
import JSON
import ScenarioCore
import ScenarioReporting
import SourceText
import Testing

@Suite("A typed action")
struct TypedActionTests {
  private func decode(_ line: String) -> (action: TypedAction?, diagnostics: [Diagnostic]) {
    ScenarioDecoder(files: FilesInMemory()).action(
      typed: SourceFile(path: "command", text: line), for: "a.json", firstID: 4
    ) { number in number == 3 ? try? ElementPath("Cell[0]/cart") : nil }
  }

  static let readable: [(String, String)] = [
    ("tap cartButton", #"{"tap":"cartButton"}"#),
    ("  tap\tCell[1]/cart ", #"{"tap":"Cell[1]/cart"}"#),
    ("3", #"{"tap":"Cell[0]/cart"}"#),
    ("tap 3", #"{"tap":"Cell[0]/cart"}"#),
    (#"tap "3""#, #"{"tap":"3"}"#),
    ("swipe up on 3", #"{"swipe":"up","on":"Cell[0]/cart"}"#),
    (#"typeText "fresh milk" into field"#, #"{"typeText":"fresh milk","into":"field"}"#),
    ("typeText fresh  milk into 3", #"{"typeText":"fresh  milk","into":"Cell[0]/cart"}"#),
    (#"typeText "go into it" into field"#, #"{"typeText":"go into it","into":"field"}"#),
    (
      "assertText toast equals Added to your cart",
      #"{"assertText":"toast","equals":"Added to your cart"}"#
    ),
    ("advanceClock 1.5", #"{"advanceClock":1.5}"#),
    ("longPress a duration 2", #"{"longPress":"a","duration":2}"#),
    ("background", #"{"background":true}"#),
    ("setNetwork offline", #"{"setNetwork":"offline"}"#),
    ("openURL shop://home?a=b", #"{"openURL":"shop://home?a=b"}"#),
    (
      #"perform login with {"user": "a b", "n": [1]}"#,
      #"{"perform":"login","with":{"user":"a b","n":[1]}}"#
    ),
    (#"push {"aps": {}} tapped false"#, #"{"push":{"aps":{}},"tapped":false}"#),
    (#"{ "tap": "x", "name": "n" }"#, #"{"tap":"x","name":"n"}"#),
  ]

  @Test("is the action that a scenario would have", arguments: readable)
  func decoded(line: String, json: String) throws {
    let (action, diagnostics) = decode(line)
    #expect(diagnostics.map(\.message) == [])
    #expect(action?.json.text() == json)
    #expect(action?.steps.map(\.id) == [4])
  }

  @Test("does several steps where it is a repeat")
  func repetition() {
    let action = decode(#"repeat 2 actions [{"tap": "a"}, {"tap": "b"}]"#).action
    #expect(action?.steps.map(\.id) == [4, 5, 6, 7])
  }

  static let mistakes: [(String, String, [String], String?)] = [
    ("tpa x", #""tpa" isn't a verb."#, ["tap"], "tpa"),
    ("tap", #""tap" needs a value: expected an element path."#, [], "tap"),
    ("tap 9", "No element has the number 9.", [], "9"),
    ("tap a//b", "A segment of the element path is empty.", [], "a//b"),
    ("waitForExistence a timeuot 2", #""timeuot""#, ["timeout"], "timeuot"),
    ("waitForExistence a timeout soon", #""timeout": expected a number"#, [], "soon"),
    ("swipe upp", #""swipe": expected "up", "down", "left" or "right""#, ["up"], "upp"),
    ("typeText milk", #""into" is missing"#, [], nil),
    ("typeText milk into", #""into" needs a value"#, [], "into"),
    ("background now", #""now" isn't expected here. Put a text with spaces in quotes."#, [], "now"),
    (
      "assertText a Added",
      #""Added" isn't expected here. Write "equals", "contains" or "matches" before it"#, [],
      "Added"
    ),
    ("tap ${cart}", "cart", [], "${cart}"),
    (#"perform a with {"x": }"#, "is missing", [], nil),
    (#"tap "a"#, "never closed", [], nil),
  ]

  @Test("that is wrong is told in the words of a scenario, at its place", arguments: mistakes)
  func wrong(line: String, message: String, suggestions: [String], place: String?) throws {
    let (action, diagnostics) = decode(line)
    #expect(action == nil)
    let first = try #require(diagnostics.first)
    #expect(first.message.contains(message), "\(first.message)")
    #expect(first.suggestions == suggestions)
    guard let place, let location = first.location else { return }
    #expect(location.file.text(in: location.range) == place)
    #expect(DiagnosticRenderer().render(diagnostics).contains("| \(line)\n"))
  }

  @Test("that is empty does nothing")
  func empty() {
    #expect(decode("   ").action == nil)
  }
}
