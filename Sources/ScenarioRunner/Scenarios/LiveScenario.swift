import Foundation
import HarnessProtocol
import ScenarioCore
import SourceText

/// A scenario whose actions run one by one, while somebody looks on: its app lives from one to the next.
///
/// Blocks the calling thread, which must be the same for all calls.
package final class LiveScenario {
  /// What came of an action.
  package enum Outcome: Sendable {
    case done
    /// It isn't possible here, and nothing was done.
    case refused(RunError)
    /// The app says that it is in another state. What the action did up to then is done.
    case failed(ActionFailure)
    /// The app ended, hangs, or broke the protocol; it has been ended.
    case ended(RunError)
  }

  private let settings: RunSettings
  private let resources: RunResources
  private let cancellation: Cancellation
  private var launches = 0
  private var folders: ScenarioFolders?
  private var play: ScenarioPlay?
  /// Of the scenario that was started last.
  private var stubs: StubSearch?
  /// What has happened since the launch, with the requests so far.
  package private(set) var trace = Trace(.all)
  /// What no output shows, of all launches.
  package private(set) var credentials = Credentials()

  /// - Parameters:
  ///   - settings: the timeout holds for each action.
  ///   - temporaryDirectory: where the folders of the launches are made.
  ///   - cancellation: ends the action that is in hand.
  package init(
    settings: RunSettings, temporaryDirectory: String, cancellation: Cancellation
  ) throws(SystemError) {
    self.settings = settings
    self.cancellation = cancellation
    try cancellation.open()
    resources = try RunResources(in: temporaryDirectory, appLimit: 2, seals: settings.seals)
  }

  /// Ends the app, and leaves nothing behind.
  package func close() {
    endApp()
    resources.close()
  }

  /// Ends every app without grace, whoever calls it.
  package var killApps: @Sendable () -> Void { { [hunter = resources.hunter] in hunter.killAll() } }

  // MARK: - Step by step

  /// Starts the app anew.
  ///
  /// - Parameter scenario: its steps are only checked.
  package func start(_ scenario: Scenario) -> Outcome {
    endApp()
    trace = Trace(.all)
    credentials.add(scenario)
    stubs = StubSearch(scenario, settings)
    var play: ScenarioPlay
    do throws(RunError) {
      let execution = execution(of: scenario, worker: 1)
      let folders = try execution.makeFolders()
      self.folders = folders
      play = ScenarioPlay(execution: execution, folders: folders, store: try folders.openStore())
    } catch {
      return .ended(error)
    }
    do throws(RunError) {
      try play.start()
      try noteTrace(of: play)
    } catch {
      return ended(error, &play)
    }
    self.play = play
    return .done
  }

  /// Does one more action; its id has to be that of the one before and 1.
  package func perform(_ step: Step) -> Outcome {
    guard var play else {
      return .refused(RunError(.invalidInput, "The app has ended."))
    }
    do throws(RunError) {
      try refuse(step, play)
    } catch {
      return .refused(error)
    }
    do throws(RunError) {
      play.renewDeadline()
      try play.perform(step)
      try noteTrace(of: play)
    } catch {
      return ended(error, &play)
    }
    self.play = play
    return play.failure.map(Outcome.failed) ?? .done
  }

  private func refuse(_ step: Step, _ play: ScenarioPlay) throws(RunError) {
    guard !play.isAppRunning else { return try play.check(step) }
    switch step.action {
    case .relaunch, .expectRequests: return
    case .app, .terminate:
      throw RunError(.invalidInput, "The app is not running: start it with \"relaunch\".")
    }
  }

  private func ended(_ error: RunError, _ play: inout ScenarioPlay) -> Outcome {
    try? noteTrace(of: play)
    _ = play.end()
    self.play = nil
    return .ended(error)
  }

  private func noteTrace(of play: ScenarioPlay) throws(RunError) {
    guard let stubs else { return }
    var seen = credentials
    trace = try play.currentTrace(stubs) { seen.add($0) }
    credentials = seen
  }

  private func endApp() {
    _ = play?.end()
    play = nil
    folders?.remove()
    folders = nil
  }

  // MARK: - As a whole

  /// Runs a scenario as a run does, in an app of its own.
  ///
  /// - Parameter fileWarnings: what is doubtful in its file.
  /// - Returns: the result, with the requests in its trace.
  package func judge(_ scenario: Scenario, fileWarnings: [Diagnostic] = []) -> ScenarioResult {
    let start = ContinuousClock.now
    var result = ScenarioResult(
      index: 0, scenario: scenario.reference, verdict: .errored, startedAt: Date(),
      duration: .zero)
    result.seed = settings.seed
    _ = execution(of: scenario, fileWarnings, worker: 2).run(&result)
    result.duration = .now - start
    return result
  }

  private func execution(
    of scenario: Scenario, _ fileWarnings: [Diagnostic] = [], worker: Int
  ) -> ScenarioExecution {
    launches += 1
    return ScenarioExecution(
      scenario: scenario, fileWarnings: fileWarnings, settings: settings, resources: resources,
      folderName: "\(launches)", worker: worker, cancellation: cancellation)
  }
}
