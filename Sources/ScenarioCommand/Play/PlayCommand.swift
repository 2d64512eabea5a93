import Foundation
import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

/// Plays a scenario for a person: replays it, then does what is typed.
struct PlayCommand {
  let options: CommandOptions
  let context: CommandContext

  func run() throws(CommandFailure) -> ExitCode {
    guard options.words.count == 1 else {
      throw CommandFailure("play takes one FILE: scenario-run play FILE.")
    }
    let project = try CommandProject(options, context)
    let place = ScenarioPath(options.words[0], among: project.files)
    let file: PlayedFile
    do throws(PlayedFile.Fault) {
      file = try PlayedFile(place, in: project)
    } catch {
      return try complain(error, place.path, project)
    }
    return try play(file, project)
  }

  private func complain(
    _ fault: PlayedFile.Fault, _ path: String, _ project: CommandProject
  ) throws(CommandFailure) -> ExitCode {
    switch fault {
    case .unreadable(let reason):
      throw CommandFailure("\"\(path)\" can't be read: \(reason).")
    case .invalid(let diagnostics):
      project.print(diagnostics)
      return .invalidFile
    case .notOne(let references):
      let selectors = references.prefix(10).map(\.selector).joined(separator: ", ")
      throw CommandFailure(
        references.count == 1
          ? "\"\(path)\" has one scenario, and none on that line. Name it as \(selectors)."
          : "\"\(path)\" has \(references.count) cases. Name one of them: \(selectors).")
    }
  }

  private func play(
    _ file: PlayedFile, _ project: CommandProject
  ) throws(CommandFailure) -> ExitCode {
    let cancellation = Cancellation()
    var settings = project.settings()
    settings.trace = .all
    let live: LiveScenario
    do throws(SystemError) {
      live = try LiveScenario(
        settings: settings, temporaryDirectory: context.temporaryDirectory,
        cancellation: cancellation)
    } catch {
      throw CommandFailure(error.message(whereStarting: "The session"))
    }
    defer { live.close() }
    let signals = try SignalWatch(
      cancellation: cancellation, signals: [SIGINT, SIGTERM, SIGHUP], tell: {},
      killApps: live.killApps)
    defer { signals.stop() }
    let session = PlaySession(
      file, project: project, live: live,
      input: LineInput(context.standardInput, cancellation: cancellation))
    return session.run()
  }
}
