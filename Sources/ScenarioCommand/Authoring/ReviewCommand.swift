import Foundation
import JSON
import RequestMatching
import ScenarioAuthoring
import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

/// Walks through drafts, difference by difference, and writes what is accepted.
struct ReviewCommand {
  let options: CommandOptions
  let context: CommandContext
  private let drafts: DraftFiles
  private let input: LineInput

  init(options: CommandOptions, context: CommandContext) {
    self.options = options
    self.context = context
    let scope = FileScope(
      project: context.workingDirectory, named: options.words.map(context.absolute))
    drafts = DraftFiles(files: LocalFiles(inside: scope))
    input = LineInput(context.standardInput, cancellation: Cancellation())
  }

  /// A draft with the scenario that it is for.
  private struct Waiting {
    var path: String
    var scenario: SourceFile
    var review: DraftReview
  }

  func run() throws(CommandFailure) -> ExitCode {
    let given = try givenDecisions()
    var outcome = ExitCode.passed
    var waiting: [Waiting] = []
    for path in try paths() {
      do throws(CommandFailure) {
        if let draft = try self.waiting(path) { waiting.append(draft) }
      } catch {
        context.complain(error.message)
        outcome = max(outcome, .invalidFile)
      }
    }
    if options.isJSON { return list(waiting, outcome) }
    guard !waiting.isEmpty else {
      return outcome == .passed
        ? context.answer(
          "No draft is waiting for review. scenario-run record and import make drafts.\n") : outcome
    }
    for draft in waiting {
      let decided = try decide(draft, given)
      outcome = max(outcome, decided)
    }
    return outcome
  }

  private func paths() throws(CommandFailure) -> [String] {
    var found: [String] = []
    for word in options.words.isEmpty ? ["."] : options.words {
      guard drafts.files.kind(of: word) != nil else {
        throw CommandFailure("There is no file or folder \"\(word)\".")
      }
      for path in drafts.scenarios(at: word) where !found.contains(path) { found.append(path) }
    }
    return found
  }

  /// - Returns: `nil` where no draft waits.
  private func waiting(_ path: String) throws(CommandFailure) -> Waiting? {
    do {
      guard let draft = try drafts.draft(for: path) else { return nil }
      let scenario = try drafts.files.source(path)
      let review = try DraftReview(
        of: draft, for: scenario,
        secrets: SecretFinder(values: context.values(of: options.secretNames)),
        lint: project(of: path)?.configuration.lint ?? LintPolicy())
      return Waiting(path: path, scenario: scenario, review: review)
    } catch let problem as DraftReview.Problem {
      let again = "Record again with \(context.programName) record --force \(path)."
      throw CommandFailure(
        problem == .scenarioChanged
          ? "\(path) has been changed since its draft was made. \(again)"
          : "The draft of \(path) differs in more than what is expected. \(again)")
    } catch {
      throw CommandFailure("\(path): \(error)")
    }
  }

  /// Where its configuration can be read.
  private func project(of path: String) -> CommandProject? {
    var options = options
    options.words = [path]
    return try? CommandProject(options, context)
  }

  private func list(_ waiting: [Waiting], _ outcome: ExitCode) -> ExitCode {
    let files = waiting.map { DraftJSON.file($0.path, $0.review.differences, context.outlet) }
    return context.answer(
      JSONValue.array(files).text(through: context.outlet),
      max(outcome, waiting.allSatisfy(\.review.differences.isEmpty) ? .passed : .notPassed))
  }

  // MARK: - Decisions

  private func decide(
    _ draft: Waiting, _ given: [GivenDecision]?
  ) throws(CommandFailure) -> ExitCode {
    guard !draft.review.differences.isEmpty else {
      // What was imported had no tracking.
      let name = context.outlet.line(draft.path)
      let next = "continue with \(context.programName) play \(name)"
      return context.answer("\(name): nothing to review; \(next)\n")
    }
    var draft = draft
    if let given {
      for decision in given where decision.file == draft.path {
        for name in decision.volatile { draft.review.markVolatile(name, in: decision.number) }
        draft.review.decide(decision.decision, on: decision.number)
      }
    } else if options.acceptsAll || options.rejectsAll {
      for difference in draft.review.differences {
        // Somebody has to look at these.
        let isHeld = options.acceptsAll && !difference.concerns.isEmpty && !options.isForced
        draft.review.decide(
          options.rejectsAll ? .reject : isHeld ? .skip : .accept, on: difference.number)
      }
    } else if context.isInputTerminal {
      ask(&draft)
    } else {
      return show(draft)
    }
    return try carryOut(draft)
  }

  private func show(_ draft: Waiting) -> ExitCode {
    return context.answer(
      "\(context.outlet.line(draft.path)):\n\(words.text(draft.review.differences))"
        + "Decide with --accept, --reject or --decisions FILE, or in a terminal.\n", .notPassed)
  }

  private var words: DraftText { DraftText(context.outlet, style: context.outputStyle(options)) }

  private func say(_ text: String) { try? context.standardOutput.write(text) }

  private func ask(_ draft: inout Waiting) {
    say("\(context.outlet.line(draft.path))\n")
    var index = 0
    var acceptsRest = false
    // What is marked meanwhile goes with what is accepted.
    let count = draft.review.differences.count
    while index < count {
      let difference = draft.review.differences[index]
      if acceptsRest, difference.concerns.isEmpty {
        draft.review.decide(.accept, on: difference.number)
        index += 1
        continue
      }
      say("\n" + words.lines(difference).map { $0 + "\n" }.joined())
      say("accept, reject, skip, volatile NAME, all, quit, help? ")
      let answer = (line() ?? "quit").split(separator: " ").map(String.init)
      switch answer.first.map({ $0.lowercased() }) ?? "" {
      case "a", "accept":
        if !difference.concerns.isEmpty, !confirms() { continue }
        draft.review.decide(.accept, on: difference.number)
      case "all":
        acceptsRest = true
        continue
      case "r", "reject": draft.review.decide(.reject, on: difference.number)
      case "s", "skip", "": draft.review.decide(.skip, on: difference.number)
      case "v", "volatile":
        guard answer.count == 2 else {
          say("Name a query parameter, or a member of the body, such as $.events[0].id.\n")
          continue
        }
        draft.review.markVolatile(answer[1], in: difference.number)
        continue
      case "q", "quit": return
      default:
        say(Self.help)
        continue
      }
      index += 1
    }
  }

  private static let help = """
      accept         write the difference into the scenario
      reject         drop it from the draft
      skip           leave it in the draft for later
      volatile NAME  ignore this query parameter, or this member of the body, such as $.events[0].id
      all            accept this difference and all that follow, but stop at those marked with !
      quit           leave the rest in the draft
    The first letter is enough, except for all.

    """

  /// What somebody types; `nil` where nobody does any more.
  private func line() -> String? {
    if case .text(let text) = input.next() { text } else { nil }
  }

  private func confirms() -> Bool {
    say("Accept it anyway? yes, no: ")
    return input.isYes()
  }

  // MARK: - Writing

  private func carryOut(_ draft: Waiting) throws(CommandFailure) -> ExitCode {
    let (accepted, left) = (draft.review.differences(.accept), draft.review.differences(.skip))
    let scenario = draft.review.applying(accepted)
    if !accepted.isEmpty, !isValid(scenario) { return .invalidFile }
    let name = context.outlet.line(draft.path)
    do {
      guard try drafts.files.source(draft.path).bytes == draft.scenario.bytes else {
        context.complain("\(name) was changed in the meantime, so nothing was written.")
        return .notPassed
      }
      if !accepted.isEmpty { try ReportFile.write(bytes: scenario.bytes, to: draft.path) }
      let path = DraftFiles.path(for: draft.path)
      if left.isEmpty {
        try FileManager.default.removeItem(atPath: path)
      } else {
        let rest = draft.review.applying(accepted + left)
        try ReportFile.replace(path, with: PendingDraft.bytes(of: rest, madeFrom: scenario))
      }
    } catch {
      context.complain("\(name): \(error)")
      return .notPassed
    }
    let rejected = draft.review.differences.count - accepted.count - left.count
    let held = left.isEmpty ? "" : ", \(left.count) left"
    let isHeld = options.acceptsAll && !left.isEmpty
    let hint = isHeld ? words.text(left) : ""
    return context.answer(
      "\(name): \(accepted.count) accepted, \(rejected) rejected\(held)\n" + hint
        + (isHeld ? "  Accept these in a terminal, or with --accept --force.\n" : ""),
      left.isEmpty ? .passed : .notPassed)
  }

  /// Whether the scenario can be read; what is wrong with it is said.
  private func isValid(_ scenario: SourceFile) -> Bool {
    guard let project = project(of: scenario.path) else { return true }
    let decoded = project.decoder.decode(scenario)
    if decoded.hasErrors { project.print(decoded.diagnostics) }
    return !decoded.hasErrors
  }

  // MARK: - Given decisions

  /// What a script has decided on a difference.
  private struct GivenDecision {
    var file: String
    var number: Int
    var decision: DraftReview.Decision
    var volatile: [String]
  }

  private func givenDecisions() throws(CommandFailure) -> [GivenDecision]? {
    guard let path = options.decisionsFile else { return nil }
    let wanted =
      "a list of {\"file\": …, \"number\": …, \"decision\": \"accept\", \"reject\" or \"skip\", "
      + "\"volatile\": […]}"
    let bytes: [UInt8]
    do {
      bytes =
        path == "-" || path == "/dev/stdin"
        ? try LocalFiles.bytes(of: context.standardInput, limitBytes: FileLimits.writtenBytes)
        : try LocalFiles().bytes(ofFile: context.absolute(path))
    } catch {
      throw CommandFailure("--decisions \(path) can't be read: \(error).")
    }
    guard let entries = (try? JSONValue(parsing: bytes))?.array else {
      throw CommandFailure("--decisions \(path): expected \(wanted).")
    }
    var decisions: [GivenDecision] = []
    for entry in entries {
      guard let file = entry["file"]?.string, let number = entry["number"]?.int,
        let word = entry["decision"]?.string, let decision = DraftReview.Decision(rawValue: word)
      else { throw CommandFailure("--decisions \(path): expected \(wanted), found \(entry).") }
      decisions.append(
        GivenDecision(
          file: file, number: number, decision: decision,
          volatile: entry["volatile"]?.array?.compactMap(\.string) ?? []))
    }
    return decisions
  }
}
