import HarnessProtocol
import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

/// What a person sees of a session: the screen with its numbers, and what came of each action.
final class PlayDisplay {
  private let project: CommandProject
  private let live: LiveScenario
  private var numbers = ElementNumbers()
  /// What is on screen; `nil` where the app can't tell.
  private(set) var outline: ScreenOutline?

  /// - Parameter live: knows what no output shows.
  init(_ project: CommandProject, _ live: LiveScenario) {
    self.project = project
    self.live = live
  }

  /// The element with a number, be it on screen or not.
  func element(_ number: Int) -> ElementPath? { numbers.path(number) }

  // MARK: - Actions and screens

  /// Takes over the screen after an action, and shows what came of it.
  ///
  /// - Parameters:
  ///   - action: `nil` where not even the launch was begun.
  ///   - ending: why the app is not there any more.
  func show(
    _ action: TracedAction?, of file: PlayedFile, isShown: Bool, ending: RunError? = nil
  ) throws {
    guard let action else {
      if let ending { try explain(ending) }
      return
    }
    var changes: [String]?
    if let screen = action.screen {
      let before = outline
      let after = ScreenOutline(screen)
      numbers.add(after)
      outline = after
      changes = lines(from: before, to: after)
    }
    guard isShown else { return }
    let keys = keys(of: action, file)
    try say(playText.lines(action, keys: keys, screen: changes, ending: ending))
    if !file.exists, let missing = keys.first(where: { $0.value == nil }) {
      try say(["  \"fixtures \(outlet.line(missing.name)) FILE\" gives the app a fixture."])
    }
  }

  private func keys(of action: TracedAction, _ file: PlayedFile) -> [PlayText.AskedKey] {
    let settings = project.settings()
    let fixtures = file.scenario.fixtures.map { ($0.key, $0.file.path) }
    let given = settings.configuredEnvironment.merging(fixtures) { $1 }
      .merging(file.scenario.environment) { $1 }
    return action.askedKeys.map { name in
      let isPassed = settings.passedEnvironment.contains(name)
      let passed = isPassed ? project.context.environment[name] : nil
      return PlayText.AskedKey(name: name, value: given[name] ?? passed)
    }
  }

  /// All that is on screen.
  func showScreen() throws {
    guard let outline else { return try say(["The app doesn't say what is on its screen."]) }
    try say(screenText.lines(outline))
  }

  /// What is on screen now, compared with another screen.
  func showDifference(from before: ScreenOutline?) throws {
    guard let outline else { return }
    try say(lines(from: before, to: outline).map { "  " + $0 })
  }

  private func lines(from before: ScreenOutline?, to after: ScreenOutline) -> [String] {
    screenText.lines(ScreenChanges(from: before ?? ScreenOutline(Screen()), to: after))
  }

  // MARK: - Faults and verdicts

  func explain(_ error: RunError) throws { try say(playText.lines(error)) }

  /// What is wrong with a typed line.
  func explain(_ diagnostics: [Diagnostic]) throws { try say(playText.lines(diagnostics)) }

  /// What is wrong in a file.
  func render(_ diagnostics: [Diagnostic]) throws {
    try write(DiagnosticRenderer(outlet, isColored: style.isColored).render(diagnostics))
  }

  func show(_ result: ScenarioResult) throws { try say(playText.lines(result)) }

  // MARK: - Output

  /// Whether somebody sits there who sees a prompt and can answer.
  var isInteractive: Bool { project.context.isInputTerminal && project.context.isOutputTerminal }

  func say(_ lines: [String]) throws { try write(lines.map { $0 + "\n" }.joined()) }

  func write(_ text: String) throws { try project.context.standardOutput.write(text) }

  private var outlet: Outlet { project.context.outlet.hiding(live.credentials.values) }

  private var style: TextStyle { project.outputStyle }

  private var screenText: ScreenText { ScreenText(outlet, style: style, numbers: numbers) }

  private var playText: PlayText { PlayText(outlet, style: style) }
}
