import Foundation
import ScenarioCore
import ScenarioReporting
import ScenarioRunner

/// Joins the reports of the shards of a run, which are all of the kind that is written.
struct MergeCommand {
  let options: CommandOptions
  let context: CommandContext

  func run() throws(CommandFailure) -> ExitCode {
    switch (options.junit, options.html, options.ctrf, options.events) {
    case (let path?, nil, nil, nil): return try merge(JUnitFile.self, into: path)
    case (nil, let path?, nil, nil): return try merge(HTMLFile.self, into: path)
    case (nil, nil, let path?, nil): return try merge(CTRFFile.self, into: path)
    case (nil, nil, nil, let path?): return try merge(EventsFile.self, into: path)
    default:
      throw CommandFailure(
        "Name one file that the reports are joined into, by the option for their kind: --junit, --html, "
          + "--ctrf or --events FILE.")
    }
  }

  private func merge<Report: ShardReport>(
    _ kind: Report.Type, into path: String
  ) throws(CommandFailure) -> ExitCode {
    guard !options.words.isEmpty else {
      throw CommandFailure("Name the \(kind.kindName)s of all shards.")
    }
    let report: ShardMerge<Report> = try merged()
    // Who reads the report from stdout wants nothing else in it.
    let isOnOutput = ReportPath.descriptor(of: path) == 1
    let output = isOnOutput ? context.standardError : context.standardOutput
    do {
      try ReportFile.write(
        to: ReportPath.descriptor(of: path) == nil ? context.absolute(path) : path,
        report.write)
    } catch {
      context.complain("the \(kind.kindName): \(error)")
      return .notPassed
    }
    if report.failsByOptions {
      context.complain(
        "A shard failed by its options: --flaky fail, or --strict and a warning of a file.")
    }
    var summary = context
    summary.standardOutput = output
    return summary.answer(report.text, outcome(report))
  }

  private func merged<Report: ShardReport>() throws(CommandFailure) -> ShardMerge<Report> {
    var files: [Report] = []
    for word in options.words { files.append(try file(word)) }
    do {
      return try ShardMerge(files)
    } catch {
      let reasons = error.reasons.map { "scenario-run: \(context.outlet.line($0))\n" }.joined()
      throw CommandFailure(
        "The reports are not all from one run, so none was written.", details: reasons)
    }
  }

  private func file<Report: ShardReport>(_ word: String) throws(CommandFailure) -> Report {
    let files = LocalFiles()
    let path = context.absolute(word)
    guard files.kind(of: path) != nil else { throw CommandFailure("There is no file \"\(word)\".") }
    do {
      return try Report(
        path: word, bytes: try files.bytes(ofFile: path, limitBytes: FileLimits.fixtureBytes))
    } catch let fault as ReportFault {
      throw CommandFailure(fault.description)
    } catch {
      throw CommandFailure("\(word) can't be read: \(error)")
    }
  }

  /// The gravest of what the shards ended with.
  private func outcome<Report: ShardReport>(_ report: ShardMerge<Report>) -> ExitCode {
    let isFlakyFailure = options.flaky == .fail && report.flakyCount > 0
    return ExitCode(
      gravestOf: report.signal.map(ExitCode.init(signal:)),
      report.hasInvalidFile ? .invalidFile : nil,
      report.isUnsuccessful || isFlakyFailure ? .notPassed : nil,
      report.isNothingSelected ? .nothingSelected : nil)
  }
}
