import HarnessProtocol
import JSON
import Testing

@Suite("A screen on the wire")
struct ScreenTests {
  @Test("is the same after it was written and read")
  func roundTrip() {
    let screen = Screen([
      ScreenElement(
        type: "View", identifier: "search",
        children: [
          ScreenElement(type: "Button", identifier: "cart", label: "담기", isEnabled: false),
          ScreenElement(type: "TextField", value: "", isVisible: false),
        ])
    ])
    #expect(Screen(screen.json) == screen)
  }

  @Test(
    "isn't one without a list of elements, each with a type, all the way down",
    arguments: [
      [:], ["elements": "none"], ["elements": [1]], ["elements": [["identifier": "a"]]],
      ["elements": [["type": "View", "children": [["label": "b"]]]]],
    ] as [JSONValue])
  func malformed(answer: JSONValue) {
    #expect(Screen(answer) == nil)
  }
}
