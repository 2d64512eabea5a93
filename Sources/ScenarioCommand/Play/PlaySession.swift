import Foundation
import HarnessProtocol
import JSON
import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

/// The session of `play`: what was done, what is on screen, and the commands that change it.
final class PlaySession {
  /// Something that was done and can be undone.
  struct Entry {
    /// The command that does it again.
    let line: String
    let title: String
    /// An action as it is written in a scenario, and its steps.
    var action: JSONValue?
    var steps: [Step] = []
    /// Of the launch, in place of an action.
    var setting: PlaySetting?
  }

  let project: CommandProject
  let live: LiveScenario
  let display: PlayDisplay
  private let input: LineInput
  var file: PlayedFile
  /// So many of the file's own steps are done.
  private(set) var fileSteps: Int
  /// What was done here, after the file's own steps.
  private(set) var entries: [Entry] = []
  var draft: PlayDraft
  /// Commands of an earlier session that are still to be done again.
  var pendingLines: [String] = []
  /// Why the app is not there any more.
  private(set) var ending: RunError?
  /// Whether the last replay didn't come to its end, and nothing was done after it.
  private var isStuck = false
  /// Whether all that was done is in a file.
  private var isSaved = true
  /// Whether the last `save` came to nothing.
  var hasFailedToSave = false

  init(_ file: PlayedFile, project: CommandProject, live: LiveScenario, input: LineInput) {
    self.project = project
    self.live = live
    display = PlayDisplay(project, live)
    self.input = input
    self.file = file
    let count = file.scenario.steps.count
    fileSteps = min(project.options.playedSteps ?? count, count)
    draft = PlayDraft(of: file.path)
  }

  private var context: CommandContext { project.context }
  var settings: [PlaySetting] { entries.compactMap(\.setting) }

  // MARK: - The course

  func run() -> ExitCode {
    do {
      if try !replay(isShown: true), ending == nil {
        // The action that failed may have done a part.
        try display.say(["  The replay stops before it."])
        try replay(isShown: false)
        isStuck = true
      }
      try tellEarlierDraft()
      return try takeCommands()
    } catch {
      // The draft keeps what was done. That nobody reads on, as after `| head`, isn't a failure.
      return (error as? OutputFailure)?.code == EPIPE ? outcome : .notPassed
    }
  }

  private func takeCommands() throws -> ExitCode {
    if display.isInteractive {
      try display.say(["Type what to do, as \"tap 3\"; \"help\" shows all commands."])
    }
    while true {
      if display.isInteractive { try display.write("> ") }
      switch input.next() {
      case .text(let line):
        guard try take(line) else { return try end() }
      case .end:
        if display.isInteractive { try display.write("\n") }
        return try end()
      case .interrupted(let signal):
        if display.isInteractive { try display.write("\n") }
        _ = try end()
        return ExitCode(signal: signal)
      }
    }
  }

  private func end() throws -> ExitCode {
    if !isSaved, !entries.isEmpty {
      let (verb, them) = entries.count == 1 ? ("isn't", "it") : ("aren't", "them")
      context.complain(
        "\(Wording.counted(entries.count, "command")) \(verb) saved, but kept in \(draft.path). "
          + "The next play of \(file.path) offers to restore \(them).")
    }
    return outcome
  }

  private var outcome: ExitCode { isStuck || hasFailedToSave ? .notPassed : .passed }

  // MARK: - Doing

  /// Starts the app anew and does all that is to be done.
  ///
  /// - Returns: whether the app is where it should be.
  @discardableResult
  func replay(isShown: Bool) throws -> Bool {
    ending = nil
    isStuck = false
    if try !note(live.start(file.scenario), isShown: isShown) {
      isStuck = true
      return false
    }
    let steps = file.scenario.steps.prefix(fileSteps)
    for step in steps where try !note(live.perform(step), isShown: isShown) {
      fileSteps = step.id - 1
      isStuck = true
      return false
    }
    for step in entries.flatMap(\.steps) where try !note(live.perform(step), isShown: isShown) {
      return false
    }
    return true
  }

  /// Does something new.
  func perform(_ entry: Entry) throws {
    if ending != nil {
      return try display.say(["The app has ended: \"undo\" takes the last command back."])
    }
    for step in entry.steps {
      let outcome = live.perform(step)
      if try note(outcome, isShown: true) { continue }
      guard ending == nil else { break }
      if case .refused = outcome, step.id == entry.steps[0].id { return }
      // It may have done a part, and time may have passed.
      if try replay(isShown: false) { try display.say(["  It was undone."]) }
      return
    }
    entries.append(entry)
    isStuck = false
    try keepDraft()
  }

  /// Changes the launch of a scenario that isn't a file yet.
  func change(_ setting: PlaySetting) throws {
    guard !file.exists else {
      return try display.say(["\(file.path) says how the app is launched: write it there."])
    }
    guard try begin(with: settings + [setting]) else { return }
    entries.append(Entry(line: setting.line, title: setting.line, setting: setting))
    try keepDraft()
    try replay(isShown: true)
  }

  func undo() throws {
    guard let last = entries.popLast() else {
      // The file's own action that ended the app isn't done again.
      if ending != nil { return try replayWhole() }
      return try display.say([
        "There is nothing to undo: only what was done here and isn't saved can be undone."
      ])
    }
    if last.setting != nil { _ = try begin(with: settings) }
    try keepDraft()
    try display.say(["Undone: \(context.outlet.line(last.title))"])
    try replayWhole()
  }

  private func begin(with settings: [PlaySetting]) throws -> Bool {
    do throws(PlayedFile.Fault) {
      try file.begin(with: settings)
      return true
    } catch {
      // They stand in a text that nobody has seen.
      if case .invalid(let diagnostics) = error {
        try display.explain(
          diagnostics.map { diagnostic in
            var alone = diagnostic
            alone.location = nil
            return alone
          })
      }
      return false
    }
  }

  /// Replays everything, and shows what is different on screen then.
  private func replayWhole() throws {
    let before = display.outline
    try replay(isShown: false)
    try display.showDifference(from: before)
  }

  /// - Parameter isSaved: whether what was done is in another file now.
  func keepDraft(isSaved: Bool = false) throws {
    self.isSaved = isSaved
    do {
      if try draft.keep(isSaved ? [] : entries.map(\.line) + pendingLines) {
        context.complain(
          "The unsaved commands of an earlier session are now in \(draft.asidePath).")
      }
    } catch {
      context.complain("The commands of this session can't be kept in \(draft.path): \(error)")
    }
  }

  /// Takes the file over as it is now: with all that was done in it.
  func adopt(_ text: SourceFile) throws {
    do throws(PlayedFile.Fault) {
      try file.adopt(text)
    } catch {
      return try display.say(["\(file.path) can't be read any more: play it again."])
    }
    entries = []
    fileSteps = file.scenario.steps.count
    try keepDraft()
  }

  /// Asks where there is somebody to answer.
  func confirm(_ question: String) throws -> Bool {
    guard display.isInteractive else { return false }
    try display.write("\(question) [y/N] ")
    return input.isYes()
  }

  /// Shows what came of an action.
  ///
  /// - Returns: whether it was done.
  private func note(_ outcome: LiveScenario.Outcome, isShown: Bool) throws -> Bool {
    switch outcome {
    case .refused(let error):
      try display.explain(error)
      return false
    case .done:
      try display.show(live.trace.actions.last, of: file, isShown: isShown)
      return true
    case .failed:
      try display.show(live.trace.actions.last, of: file, isShown: true)
      return false
    case .ended(let error):
      ending = error
      try display.show(live.trace.actions.last, of: file, isShown: true, ending: error)
      if error.kind != .interrupted, !entries.isEmpty || fileSteps > 0 {
        try display.say(["  \"undo\" takes the last command back."])
      }
      return false
    }
  }

  /// The id of the next step.
  var nextID: Int { entries.reduce(fileSteps + 1) { $0 + $1.steps.count } }
}
