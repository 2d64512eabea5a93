import Testing

@testable import ScenarioCommand

@Suite("Output is coloured")
struct ColorChoiceTests {
  struct Case: Sendable {
    var choice: ColorChoice
    var isTerminal: Bool
    var environment: [String: String]
    var isColored: Bool
  }

  @Test(
    "as the option, NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM and the terminal say, in this order",
    arguments: [
      Case(choice: .auto, isTerminal: true, environment: [:], isColored: true),
      Case(choice: .auto, isTerminal: false, environment: [:], isColored: false),
      Case(choice: .auto, isTerminal: true, environment: ["TERM": "dumb"], isColored: false),
      Case(choice: .auto, isTerminal: true, environment: ["NO_COLOR": "1"], isColored: false),
      Case(choice: .auto, isTerminal: true, environment: ["NO_COLOR": ""], isColored: true),
      Case(choice: .auto, isTerminal: false, environment: ["CLICOLOR_FORCE": "1"], isColored: true),
      Case(choice: .auto, isTerminal: false, environment: ["FORCE_COLOR": "1"], isColored: true),
      Case(
        choice: .auto, isTerminal: false, environment: ["CLICOLOR_FORCE": "0"], isColored: false),
      Case(
        choice: .auto, isTerminal: true, environment: ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"],
        isColored: false),
      Case(choice: .always, isTerminal: false, environment: ["NO_COLOR": "1"], isColored: true),
      Case(
        choice: .never, isTerminal: true, environment: ["CLICOLOR_FORCE": "1"], isColored: false),
    ])
  func choice(_ example: Case) {
    let isColored = example.choice.isColored(
      isTerminal: example.isTerminal, environment: example.environment)
    #expect(isColored == example.isColored)
  }
}
