import Testing

@testable import ScenarioCore
@testable import ScenarioReporting

@Suite("A difference")
struct DifferenceTextTests {
  private func shown(_ wanted: String?, _ got: String?, isCondition: Bool = false) -> [String] {
    let difference = Difference(
      part: .queryParameter("a"), wanted: wanted, got: got, isCondition: isCondition)
    let lines = DifferenceText(Outlet(), style: TextStyle(isColored: false), width: 32)
      .lines([difference])
    return lines.dropFirst().map { String($0.dropFirst("  + got    ".count)) }
  }

  @Test(
    "of long values is shown where they begin to differ",
    arguments: [
      ("short", "other", "\"short\"", "\"other\""),
      (
        "0123456789abcdefghij-X", "0123456789abcdefghij-Y",
        "\"…23456789abcdefghij-X\" (22 characters)",
        "\"…23456789abcdefghij-Y\" (22 characters)"
      ),
      (
        "X0123456789abcdefghij", "Y0123456789abcdefghij",
        "\"X0123456789abcdefghi…\" (21 characters)",
        "\"Y0123456789abcdefghi…\" (21 characters)"
      ),
      (
        "0123456789X0123456789abcdef", "0123456789", "\"…456789X0123456789abc…\" (27 characters)",
        "\"…456789\" (10 characters)"
      ),
      // Canonically equal, and still not the same.
      (
        "0123456789abcdefghij-\u{E9}", "0123456789abcdefghij-e\u{301}",
        "\"…23456789abcdefghij-\u{E9}\" (22 characters)",
        "\"…23456789abcdefghij-e\u{301}\" (22 characters)"
      ),
    ])
  func long(wanted: String, got: String, wantedLine: String, gotLine: String) {
    let lines = shown(wanted, got)
    #expect(lines.map { Array($0.utf8) } == [wantedLine, gotLine].map { Array($0.utf8) })
  }

  @Test("from nothing or from a condition is shown from its beginning")
  func others() {
    #expect(
      shown(nil, "0123456789abcdefghij-") == [
        "nothing", "\"0123456789abcdefghij…\" (21 characters)",
      ])
    #expect(
      shown("contains \"0123456789abcdefghij\"", "0123456789abcdefghij-", isCondition: true) == [
        "contains \"0123456789abcdefghij\"", "\"0123456789abcdefghij…\" (21 characters)",
      ])
  }

  @Test("is whole on the page, or cut where the values begin to differ")
  func page() {
    let start = String(repeating: "x", count: 5000)
    let miss = NearMiss(
      request: RequestOccurrence(url: "https://h/"),
      differences: [Difference(part: .body("$"), wanted: start + "one", got: start + "two")])
    let text = HTMLFinding(Outlet()).nearMiss(miss).joined()
    #expect(text.contains("xone") && text.contains("xtwo"))
  }
}
