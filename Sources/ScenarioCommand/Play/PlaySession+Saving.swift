import Foundation
import JSON
import ScenarioAuthoring
import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

extension PlaySession {
  /// Why nothing is written.
  private struct Refusal: Error {
    var message: String
    init(_ message: String) { self.message = message }
  }

  /// Writes the scenario as it was played, with what the new actions sent; then runs it as a run does.
  ///
  /// - Parameter name: of another file than the one that is played.
  func save(to name: String?) throws {
    hasFailedToSave = true
    do {
      try saveOrRefuse(to: name ?? file.path)
      hasFailedToSave = false
    } catch let refusal as Refusal {
      try display.say([refusal.message])
    } catch let failure as ReportFailure {
      try display.say(["Nothing was written: \(failure)"])
    }
  }

  private func saveOrRefuse(to path: String) throws {
    let isOwn = project.context.absolute(path) == project.context.absolute(file.path)
    if nextID == 1 || isOwn && entries.isEmpty { throw Refusal("There is nothing to save yet.") }
    if file.scenario.reference.caseName != nil {
      throw Refusal(
        "\(file.path) has cases: what one of them sends doesn't hold for the others. Add the actions"
          + " by hand.")
    }
    let text = try scenarioText(for: path)
    try checkOverwriting(path, isOwn: isOwn)
    try ReportFile.write(bytes: text.bytes, to: project.context.absolute(path))
    try display.say(["Saved in \(path):"])
    try judge(text)
    if isOwn { try moveDraft(to: text) }
    if isOwn { try adopt(text) } else { try keepDraft(isSaved: true) }
  }

  /// What was drafted of the file as it was, as by `import`, waits on.
  private func moveDraft(to text: SourceFile) throws {
    let drafts = DraftFiles(files: project.files)
    let path = DraftFiles.path(for: file.path)
    guard let draft = try? drafts.draft(for: file.path),
      let bytes = draft.moved(from: file.source, to: text)
    else { return }
    if bytes.isEmpty {
      unlink(project.context.absolute(path))
    } else {
      try ReportFile.write(bytes: bytes, to: project.context.absolute(path))
      try display.say([
        "A draft of its expectations is waiting: \(project.context.programName) review \(file.path)"
      ])
    }
  }

  /// The text with what was seen, from one more run.
  private func scenarioText(for path: String) throws -> SourceFile {
    let base = SourceFile(path: path, bytes: file.source.bytes)
    let actions = entries.compactMap(\.action)
    guard let played = PlayedScenario(base, keeping: try keptActions(), adding: actions) else {
      throw Refusal("\(file.path) can't be edited. Write a list \"actions\" in it.")
    }
    let scenario = try decoded(played.actionsOnly).scenario
    let result = live.judge(scenario)
    if result.hasError(.interrupted) || result.hasError(.runner) {
      throw Refusal("Nothing was written: the session was interrupted.")
    }
    return played.withExpectations(scenario, result.trace)
  }

  /// How many of the file's own actions were played.
  private func keptActions() throws -> Int {
    let spans = file.scenario.spans
    let kept = spans.prefix { $0.stepIDs.upperBound <= fileSteps + 1 }
    if let next = spans.dropFirst(kept.count).first, next.stepIDs.lowerBound <= fileSteps {
      throw Refusal(
        "Only a part of the action in line \(next.location.position.line) was played, so what comes"
          + " after it has no place in the file. Play up to its beginning or its end: --until N.")
    }
    return kept.count
  }

  private func decoded(_ text: SourceFile) throws -> (scenario: Scenario, warnings: [Diagnostic]) {
    let output = project.decoder.decode(text)
    guard !output.hasErrors, let scenario = output.scenarios.first else {
      try display.render(output.diagnostics)
      throw Refusal("Nothing was written, since it wouldn't be a scenario.")
    }
    return (scenario, output.diagnostics)
  }

  /// What would be lost has to be allowed.
  private func checkOverwriting(_ path: String, isOwn: Bool) throws {
    let absolute = project.context.absolute(path)
    let now = try? project.files.bytes(ofFile: absolute)
    if isOwn {
      let known = file.exists ? file.source.bytes : nil
      if now != known {
        try ask("\(path) was changed by somebody else since it was read. Replace it?")
      }
      let left = file.scenario.steps.count - fileSteps
      if left > 0 {
        try ask("\(path) has \(left) more action\(left == 1 ? "" : "s"). Remove them?")
      }
    } else if project.files.kind(of: absolute) != nil {
      try ask("There is a file \(path) already. Replace it?")
    }
  }

  private func ask(_ question: String) throws {
    if project.options.isForced { return }
    guard try confirm(question) else {
      let asked = display.isInteractive ? "" : "\(question) "
      throw Refusal("\(asked)Nothing was written: save to another FILE, or play with --force.")
    }
  }

  /// The verdict of the file as it is now.
  private func judge(_ text: SourceFile) throws {
    let (scenario, warnings) = try decoded(text)
    try display.show(live.judge(scenario, fileWarnings: warnings))
  }
}
