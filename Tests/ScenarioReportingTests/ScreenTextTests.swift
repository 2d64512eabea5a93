import HarnessProtocol
import ScenarioCore
import ScenarioReporting
import Testing

@Suite("A screen as text")
struct ScreenTextTests {
  private static let before = ScreenOutline(
    Screen([
      ScreenElement(
        type: "Window", identifier: "home",
        children: [
          ScreenElement(type: "StaticText", label: "Popular\u{1B}[2J"),
          ScreenElement(type: "Other"),
          ScreenElement(type: "TextField", identifier: "search", label: "Search", value: "milk"),
          ScreenElement(
            type: "Button", identifier: "cart", label: "Cart", isEnabled: false, isVisible: false),
          ScreenElement(
            type: "Cell", identifier: "ad",
            children: [ScreenElement(type: "StaticText", label: "Ad")]),
        ])
    ]))

  private static let after = ScreenOutline(
    Screen([
      ScreenElement(
        type: "Window", identifier: "home",
        children: [
          ScreenElement(type: "StaticText", label: "New"),
          ScreenElement(type: "TextField", identifier: "search", label: "Search"),
          ScreenElement(type: "Button", identifier: "cart", label: "Cart"),
          ScreenElement(type: "StaticText", identifier: "toast", label: "Added"),
        ])
    ]))

  private var numbers: ElementNumbers {
    var numbers = ElementNumbers()
    numbers.add(Self.before)
    numbers.add(Self.after)
    return numbers
  }

  @Test("has the number, the path, the type, the texts and the state of each element")
  func screen() {
    #expect(
      ScreenText(Outlet(), numbers: numbers).lines(Self.before) == [
        #"  1 home  Window"#,
        #"    StaticText "Popular\u{1B}[2J""#,
        #"  2 search  TextField "Search" = "milk""#,
        #"  3 cart  Button "Cart"  (disabled, not visible)"#,
        #"  4 ad  Cell"#,
        #"    StaticText "Ad""#,
      ])
  }

  @Test("has what appeared, what changed and how, and what disappeared")
  func changes() {
    let changes = ScreenChanges(from: Self.before, to: Self.after)
    #expect(
      ScreenText(Outlet(), numbers: numbers).lines(changes) == [
        #"+   5 toast  StaticText "Added""#,
        #"~     StaticText "Popular\u{1B}[2J" → "New""#,
        #"~   2 search  TextField value "milk" → none"#,
        #"~   3 cart  Button enabled, visible"#,
        #"-   4 ad  Cell, with 1 element in it"#,
      ])
  }

  @Test("shows no secret")
  func secrets() {
    let text = ScreenText(Outlet(secrets: ["milk"]), numbers: numbers).lines(Self.before)
    #expect(!text.joined().contains("milk"))
  }
}
