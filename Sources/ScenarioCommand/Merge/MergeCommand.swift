import Foundation
import ScenarioCore
import ScenarioReporting
import ScenarioRunner

/// Joins the JUnit reports of the shards of a run.
struct MergeCommand {
  let options: CommandOptions
  let context: CommandContext

  func run() throws(CommandFailure) -> CommandOutcome {
    guard let path = options.junit else {
      throw CommandFailure("Name the file that the reports are joined into: --junit FILE.")
    }
    guard !options.words.isEmpty else {
      throw CommandFailure("Name the JUnit reports of all shards.")
    }
    let report = try merge().merged
    // Who reads the report from stdout wants nothing else in it.
    let isOnOutput = ReportPath.descriptor(of: path) == 1
    let output = isOnOutput ? context.standardError : context.standardOutput
    do {
      try ReportFile.write(
        report.text, to: ReportPath.descriptor(of: path) == nil ? context.absolute(path) : path)
    } catch {
      context.complain("the JUnit report: \(error)")
      return .notPassed
    }
    var summary = context
    summary.standardOutput = output
    return summary.answer(MergeSummary(report: report).text, outcome(report))
  }

  private func merge() throws(CommandFailure) -> ShardMerge {
    var files: [JUnitFile] = []
    for word in options.words { files.append(try file(word)) }
    do {
      return try ShardMerge(files)
    } catch {
      let reasons = error.reasons.map { "scenario-run: \(context.outlet.line($0))\n" }.joined()
      throw CommandFailure(
        "The reports are not those of one run, so none is written.", details: reasons)
    }
  }

  private func file(_ word: String) throws(CommandFailure) -> JUnitFile {
    let files = LocalFiles()
    let path = context.absolute(word)
    guard files.kind(of: path) != nil else { throw CommandFailure("There is no file \"\(word)\".") }
    do {
      return try JUnitFile(
        path: word, bytes: try files.bytes(ofFile: path, limitBytes: FileSize.fixture))
    } catch let fault as JUnitFault {
      throw CommandFailure(fault.description)
    } catch {
      throw CommandFailure("\(word) can't be read: \(error)")
    }
  }

  /// The gravest of what the shards ended with.
  private func outcome(_ report: MergedReport) -> CommandOutcome {
    let isFlakyFailure = options.flaky == .fail && report.flakyCount > 0
    let isPassed = report.unsuccessful.isEmpty && report.notRunCount == 0 && !isFlakyFailure
    return CommandOutcome(
      gravestOf: report.signal.map(CommandOutcome.interrupted),
      report.hasInvalidFile ? .invalidFile : nil, isPassed ? nil : .notPassed,
      report.isNothingSelected ? .nothingSelected : nil)
  }
}
