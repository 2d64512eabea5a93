import ScenarioCore
import ScenarioReporting
import ScenarioRunner

/// Remembers what did not pass, for `--last-failed`, at the end of a run, also of an interrupted one.
///
/// Where it can't, it warns: the run is none the worse for it.
final class FailureRecorder: Reporter {
  let name = "the memory of what did not pass"
  private let project: Project
  private let folder: StateFolder
  private let paths: ProjectPaths
  private let warn: (String) -> Void
  private var memory: FailureMemory

  init(project: Project, folder: StateFolder, warn: @escaping (String) -> Void) {
    self.project = project
    self.folder = folder
    self.warn = warn
    paths = project.paths
    memory = folder.failures() ?? FailureMemory()
  }

  private func identity(of result: ScenarioResult) -> ScenarioIdentity {
    let (identity, outlet) = (paths.identity(of: result.scenario), project.context.outlet)
    return ScenarioIdentity(
      path: outlet.masked(identity.path), caseName: identity.caseName.map(outlet.masked))
  }

  func handle(_ event: RunEvent, _ result: RunResult) {
    switch event {
    // What is skipped says nothing.
    case .scenarioFinished(let finished) where finished.verdict != .skipped:
      let passed = !finished.failsRun(onFlaky: project.options.flaky == .fail)
      // Of most scenarios there is nothing to note, and they are many.
      if passed, memory.failed.isEmpty { return }
      memory.note(identity(of: finished), passed: passed)
    case .runFinished:
      do {
        try folder.save(memory, from: project.folder)
      } catch {
        warn(
          "What did not pass is not remembered for --last-failed: \(error) Name another folder "
            + "with --state.")
      }
    default: break
    }
  }
}
