import Foundation
import JSON
import ScenarioAuthoring
import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

/// Makes a scenario of captured traffic.
struct ImportCommand {
  private let project: CommandProject
  private let capture: String
  private let file: String

  /// - Throws: where the words aren't a capture and a scenario.
  init(options: CommandOptions, context: CommandContext) throws(CommandFailure) {
    guard options.words.count == 2 else {
      throw CommandFailure(
        "import takes a capture and a scenario: scenario-run import CAPTURE.har FILE.json.")
    }
    (capture, file) = (options.words[0], options.words[1])
    guard file.hasSuffix(".json") else {
      throw CommandFailure(
        "\"\(file)\" can't become a scenario, since it doesn't end with \".json\": scenario-run import"
          + " CAPTURE.har FILE.json.")
    }
    var options = options
    options.words = [file]
    project = try CommandProject(options, context)
  }

  private var context: CommandContext { project.context }
  private var draftPath: String { DraftFiles.path(for: file) }

  func run() throws(CommandFailure) -> ExitCode {
    let imported = try read()
    let name = FilePath.lastComponent(fixturePath)
    let scenario = imported.scenario(stubs: name, path: file)
    let draft = imported.draft(of: scenario)
    try checkDraft(draft)
    var written: [(path: String, bytes: [UInt8])] = [
      (file, scenario.bytes), (draftPath, PendingDraft.bytes(of: draft, madeFrom: scenario)),
    ]
    if let fixture = imported.fixture { written.insert((fixturePath, fixture), at: 0) }
    try checkOverwriting(written)
    do {
      for (path, bytes) in written {
        // A person names the scenario alone.
        if path == file {
          try ReportFile.write(bytes: bytes, to: absolute(path))
        } else {
          try ReportFile.replace(absolute(path), with: bytes)
        }
      }
    } catch {
      context.complain("\(error)")
      return .notPassed
    }
    let text = ImportText(
      context.outlet, style: project.outputStyle, programName: context.programName)
    let lines = text.lines(imported, fixture: shown(fixturePath), scenario: file)
    return context.answer(lines.map { $0 + "\n" }.joined())
  }

  private func read() throws(CommandFailure) -> CaptureImport {
    let bytes: [UInt8]
    do {
      bytes = try LocalFiles().bytes(ofFile: absolute(capture), limitBytes: FileLimits.fixtureBytes)
    } catch {
      let reason = (error as? SystemError)?.reason ?? "\(error)"
      throw CommandFailure("\"\(capture)\" can't be read: \(reason).")
    }
    let configuration = project.configuration
    do throws(CaptureImport.Problem) {
      return try CaptureImport(
        bytes,
        tracking: TrackingLook(
          hosts: project.options.trackingHosts + (configuration.tracking ?? []),
          decoders: configuration.decoders),
        volatile: configuration.volatileParameters,
        secrets: context.values(of: project.options.secretNames))
    } catch {
      throw CommandFailure("\"\(capture)\" can't be imported: \(ImportText.words(for: error))")
    }
  }

  // MARK: - Files

  /// The capture's name, under the fixtures folder.
  private var fixturePath: String {
    let name = FilePath.lastComponent(capture)
    let base = name.lowercased().hasSuffix(".har") ? String(name.dropLast(4)) : name
    return FilePath.join(project.fixtures.path, base + ".har")
  }

  private func absolute(_ path: String) -> String {
    FilePath.join(context.workingDirectory, path)
  }

  private func shown(_ path: String) -> String {
    let folder = FilePath.normalized(context.workingDirectory) + "/"
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }

  /// What was drafted has to be a scenario.
  private func checkDraft(_ draft: SourceFile) throws(CommandFailure) {
    var decoder = project.decoder
    decoder.allowsNothing = true
    // Its fixture isn't written yet.
    decoder.fixturesDirectory = nil
    let decoded = decoder.decode(draft)
    guard decoded.hasErrors else { return }
    project.print(decoded.diagnostics)
    throw CommandFailure("\"\(capture)\" can't be imported: the scenario of it would be invalid.")
  }

  private func checkOverwriting(
    _ written: [(path: String, bytes: [UInt8])]
  ) throws(CommandFailure) {
    let source = project.files.resolved(absolute(capture))
    for (path, bytes) in written {
      let place = absolute(path)
      guard project.files.kind(of: place) != nil else { continue }
      guard project.files.resolved(place) != source else {
        throw CommandFailure(
          "\"\(capture)\" is where its fixture goes. Move the capture out of the fixtures folder, since"
            + " there are secrets in it.")
      }
      let existing = try? project.files.bytes(ofFile: place, limitBytes: FileLimits.fixtureBytes)
      if existing == bytes || project.options.isForced { continue }
      guard confirms("There is a file \(context.outlet.line(shown(path))) already. Replace it?")
      else {
        throw CommandFailure(
          "There is a file \(shown(path)) already, so nothing was written. Name another FILE, or"
            + " replace it with --force.")
      }
    }
  }

  private func confirms(_ question: String) -> Bool {
    guard context.isInputTerminal, context.isOutputTerminal else { return false }
    try? context.standardOutput.write("\(question) [y/N] ")
    return LineInput(context.standardInput, cancellation: Cancellation()).isYes()
  }
}
