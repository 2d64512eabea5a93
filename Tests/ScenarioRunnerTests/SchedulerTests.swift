import Foundation
import ScenarioCore
import Synchronization
import TestSupport
import Testing

@testable import ScenarioRunner

@Suite("Jobs of several suites", .waitsForPrograms)
struct SchedulerTests {
  private let files: Suite

  init() throws {
    files = try Suite()
  }

  /// A suite with one scenario, whose app has a fault.
  private func suite(_ fault: String, jobLimit: Int = 1) throws -> SuiteRun {
    let plan = try files.plan([try files.scenario([fault])])
    return SuiteRun(
      plan: GrowingPlan(plan), settings: files.settings(timeout: .seconds(600)),
      jobLimit: jobLimit)
  }

  /// - Returns: the last result, once the job has ended.
  private func run(
    _ suite: SuiteRun, by scheduler: Scheduler, _ cancellation: Cancellation = Cancellation()
  ) async throws -> ScenarioResult? {
    try await withCheckedThrowingContinuation { continuation in
      scheduler.add(
        ScenarioJob(
          suite, entries: suite.plan.entries.indices, cancellation: cancellation,
          ended: { continuation.resume(with: $0.mapError { $0 as any Error }) }))
    }
  }

  private var runFolders: [String] {
    files.folder.contents.filter { $0.hasPrefix("scenario-run.") }
  }

  @Test("wait for their own suite alone, and end at once when they are cancelled there")
  func limits() async throws {
    let scheduler = Scheduler(limit: 2, temporaryDirectory: files.folder.path)
    let (slow, quick) = (try suite("hang"), try suite("none"))
    let (ofFirst, ofSecond) = (Cancellation(), Cancellation())
    async let first = run(slow, by: scheduler, ofFirst)
    async let second = run(slow, by: scheduler, ofSecond)
    // Both before it, in whichever order; the limits leave it a place all the same.
    #expect(try await run(quick, by: scheduler)?.verdict == .passed)
    scheduler.cancel(ofSecond)
    scheduler.cancel(ofFirst)
    let results = try await [first, second]
    // Whichever began was interrupted, and the other never ran.
    #expect(results.compactMap { $0 }.flatMap(\.runErrors).allSatisfy { $0.kind == .interrupted })
    #expect(results.compactMap { $0 }.count <= 1)
    #expect(runFolders.isEmpty)
  }

  @Test(
    "tell an error of the run where a signal came between two scenarios, or after the last",
    arguments: [
      (
        2,
        "The run was interrupted by SIGTERM (terminated) before this scenario, and maybe others, could start."
      ),
      (1, "The run was interrupted by SIGTERM (terminated) at its end."),
    ])
  func between(count: Int, message: String) throws {
    let paths = try ["none", "sendRequest"].prefix(count).map { try files.scenario([$0]) }
    let cancellation = Cancellation()
    let log = Mutex(RunResult())
    let plan = try files.plan(paths)
    try Scheduler(limit: 1, temporaryDirectory: files.folder.path).run(
      SuiteRun(
        plan: GrowingPlan(plan), settings: files.settings(timeout: .seconds(600)), jobLimit: 1),
      header: RunHeader(
        version: "0", startedAt: Date(), scenarioCount: plan.entries.count, jobs: 1),
      failureLimit: ScenarioJob.FailureLimit(), cancellation: cancellation,
      happened: { event in
        log.withLock { $0.apply(event) }
        if case .scenarioFinished = event { cancellation.cancel(signal: SIGTERM) }
      })
    let result = log.withLock { $0 }
    #expect(result.results.map(\.verdict) == [.passed, .errored])
    #expect(result.results.last?.runErrors.map(\.message) == [message])
    #expect(result.interruptingSignal == SIGTERM)
  }

  @Test("share a folder, of which nothing is left when the last of them has ended")
  func leftovers() async throws {
    let scheduler = Scheduler(limit: 3, temporaryDirectory: files.folder.path)
    let suites = try (1...6).map { try suite($0 % 2 == 0 ? "none" : "sendRequest", jobLimit: 2) }
    let verdicts = try await withThrowingTaskGroup(of: Verdict?.self) { group in
      for suite in suites { group.addTask { try await run(suite, by: scheduler)?.verdict } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(verdicts) == [.passed, .failed] && verdicts.count == 6)
    #expect(runFolders.isEmpty)
  }

  @Test("that were cancelled before run nothing")
  func cancelled() async throws {
    let scheduler = Scheduler(limit: 1, temporaryDirectory: files.folder.path)
    let cancellation = Cancellation()
    cancellation.cancel(signal: SIGTERM)
    #expect(try await run(try suite("hang"), by: scheduler, cancellation) == nil)
    #expect(runFolders.isEmpty)
  }

  @Test("begin once, before the first of their scenarios")
  func begin() async throws {
    let paths = try ["none", "sendRequest", "abort"].map { try files.scenario([$0]) }
    let suite = SuiteRun(
      plan: GrowingPlan(try files.plan(paths)), settings: files.settings(), jobLimit: 3)
    let log = Mutex<[String]>([])
    _ = try await withCheckedThrowingContinuation { continuation in
      Scheduler(limit: 3, temporaryDirectory: files.folder.path).add(
        ScenarioJob(
          suite, entries: suite.plan.entries.indices,
          began: { _ in log.withLock { $0.append("began") } },
          happened: { event in
            if case .scenarioStarted = event { log.withLock { $0.append("scenario") } }
          },
          ended: { continuation.resume(with: $0.mapError { $0 as any Error }) }))
    }
    #expect(log.withLock { $0 } == ["began", "scenario", "scenario", "scenario"])
  }

  @Test("end all, however many are cancelled at the same time")
  func cancelledTogether() async throws {
    let scheduler = Scheduler(limit: 1, temporaryDirectory: files.folder.path)
    let suite = try suite("hang")
    let cancellations = (0..<300).map { _ in Cancellation() }
    let jobs = DispatchGroup()
    for cancellation in cancellations {
      jobs.enter()
      scheduler.add(
        ScenarioJob(
          suite, entries: suite.plan.entries.indices, cancellation: cancellation,
          ended: { _ in jobs.leave() }))
    }
    let ending = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        DispatchQueue.concurrentPerform(iterations: cancellations.count) {
          scheduler.cancel(cancellations[$0])
        }
        continuation.resume(returning: jobs.wait(timeout: .now() + 600))
      }
    }
    #expect(ending == .success)
    #expect(runFolders.isEmpty)
  }

  @Test("end with the reason where their folder can't be made, and the next can")
  func noFolder() async throws {
    let place = files.folder.path + "/none"
    let scheduler = Scheduler(limit: 1, temporaryDirectory: place)
    let error = await #expect(throws: SystemError.self) {
      try await run(try suite("none"), by: scheduler)
    }
    #expect(error?.description == "create a folder in \(place): No such file or directory")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    #expect(try await run(try suite("none"), by: scheduler)?.verdict == .passed)
  }
}
