import Foundation
import ScenarioCore
import Synchronization

/// Runs scenarios on threads of its own, so many at a time: those of the command, or those of all the
/// tests of a process.
///
/// Plain threads: a scenario blocks, which Swift concurrency's must not. What runs together shares a
/// folder and the supervision of the apps; when the last job has ended, nothing is left of either.
package final class Scheduler: Sendable {
  /// A job from its place in the queue to its end.
  private struct Queued {
    enum Stage {
      case waiting, beginning, running
      case failed(SystemError)
    }

    let job: ScenarioJob
    /// Among those that share the resources, from 0.
    var number = 0
    var stage = Stage.waiting
    /// Places in the plan of what is still to be started; the end may come to be known on the way.
    var places: Range<Int>
    /// How many workers are at it.
    var workers = 0
    var failures = 0
    var last: ScenarioResult?

    /// Whether a further scenario is to be started, once the job has begun.
    var hasMore: Bool {
      !places.isEmpty && failures < job.failureLimit.count ?? .max
        && !job.isCancelled
    }

    var isOver: Bool {
      guard workers == 0 else { return false }
      return switch stage {
      case .waiting: job.isCancelled
      case .beginning: false
      case .running: !hasMore
      case .failed: true
      }
    }

    /// - Parameter number: that of the next job that begins.
    mutating func takeWork(number nextNumber: inout Int) -> Turn.Work {
      workers += 1
      if case .waiting = stage {
        (stage, number) = (.beginning, nextNumber)
        nextNumber += 1
        return .begin
      }
      return .entry(places.removeFirst())
    }

    func tellEnd() {
      if case .failed(let error) = stage {
        job.ended(.failure(error))
      } else {
        job.ended(.success(last))
      }
    }
  }

  /// What a worker does next.
  private struct Turn {
    enum Work {
      case begin
      case entry(Int)
    }

    let job: ScenarioJob
    let jobNumber: Int
    let work: Work
    /// Nobody else has the number meanwhile.
    let worker: Int
    let session: RunSession
  }

  /// What came of a turn.
  private enum Outcome {
    case begun
    case failed(SystemError)
    case finished(ScenarioResult)
    /// The plan has no such place, and none after it.
    case nothing(at: Int)
  }

  private struct State {
    /// In the order in which they came.
    var queue: [Queued] = []
    var workers: Set<Int> = []
    /// How many scenarios of a suite run.
    var running: [ObjectIdentifier: Int] = [:]
    /// Of the jobs that have begun.
    var session: RunSession?
    var begunJobs = 0

    /// Takes what has ended out of the queue.
    mutating func takeOver() -> [Queued] {
      guard queue.contains(where: \.isOver) else { return [] }
      // Each is asked once: it may be cancelled meanwhile, and what is taken has to be told.
      let areOver = queue.map(\.isOver)
      defer { queue = zip(queue, areOver).filter { !$1 }.map(\.0) }
      return zip(queue, areOver).filter(\.1).map(\.0)
    }

    mutating func note(_ turn: Turn, _ outcome: Outcome) {
      workers.remove(turn.worker)
      let suite = ObjectIdentifier(turn.job.suite)
      running[suite] = running[suite].flatMap { $0 > 1 ? $0 - 1 : nil }
      guard let index = queue.firstIndex(where: { $0.job === turn.job }) else { return }
      queue[index].workers -= 1
      switch outcome {
      case .begun: queue[index].stage = .running
      case .failed(let error): queue[index].stage = .failed(error)
      case .nothing(let end): queue[index].places = queue[index].places.clamped(to: 0..<end)
      case .finished(let result):
        queue[index].last = result
        let limit = turn.job.failureLimit
        if result.failsRun(onFlaky: limit.includesFlaky) { queue[index].failures += 1 }
      }
    }
  }

  private let limit: Int
  private let temporaryDirectory: String
  private let seals: Set<NetworkSeal>
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: how many scenarios run at a time; a suite with a higher limit of its own may have more.
  ///   - temporaryDirectory: where the folders of the runs are made.
  ///   - seals: what may keep the apps from the network; the strongest that the system allows does.
  package init(
    limit: Int, temporaryDirectory: String,
    seals: Set<NetworkSeal> = Set(NetworkSeal.allCases)
  ) {
    self.limit = max(1, limit)
    self.temporaryDirectory = temporaryDirectory
    self.seals = seals
  }

  /// Lets a job run when its turn comes.
  package func add(_ job: ScenarioJob) {
    state.withLock { $0.queue.append(Queued(job: job, places: job.entries)) }
    startWorkers()
  }

  /// Ends early what belongs together; what has not begun ends at once.
  package func cancel(_ cancellation: Cancellation, signal: Int32 = SIGTERM) {
    cancellation.cancel(signal: signal)
    // A session that is open stays: somebody is at work, who closes it.
    for over in state.withLock({ $0.takeOver() }) { over.tellEnd() }
  }

  /// Ends every app without grace; what they said is lost.
  package func killApps() { state.withLock { $0.session }?.killApps() }

  private func startWorkers() {
    while let turn = state.withLock({ takeTurn(&$0) }) {
      let code = WorkerThread.start { self.work(from: turn) }
      guard code != 0 else { continue }
      // Where somebody is at work already, there are fewer at a time.
      if state.withLock({ $0.workers.count > 1 }) {
        work(from: turn)
      } else {
        _ = finish(turn, .failed(SystemError("start a thread", code: code)))
      }
    }
  }

  private func work(from first: Turn) {
    BrokenPipes.blockSignal()
    var turn: Turn? = first
    while let current = turn { turn = finish(current, perform(current)) }
  }

  private func perform(_ turn: Turn) -> Outcome {
    do throws(SystemError) {
      let resources = try turn.session.open()
      switch turn.work {
      case .begin:
        try turn.job.cancellation.open()
        turn.job.began(resources.seal(turn.job.suite.settings)?.kind ?? .open)
        return .begun
      case .entry(let index):
        guard let entry = turn.job.suite.entry(index, for: turn.job) else {
          return .nothing(at: index)
        }
        // That of the first job is its place in the plan.
        let name = (turn.jobNumber == 0 ? "" : "\(turn.jobNumber)-") + "\(index + 1)"
        let runner = EntryRunner(
          job: turn.job, resources: resources, folderName: name, worker: turn.worker)
        let result = runner.run(entry, at: index)
        turn.job.happened(.scenarioFinished(result))
        return .finished(result)
      }
    } catch {
      return .failed(error)
    }
  }

  /// - Returns: what the worker does next.
  private func finish(_ turn: Turn, _ outcome: Outcome) -> Turn? {
    let (over, lastSession, next) = state.withLock { state in
      state.note(turn, outcome)
      let over = state.takeOver()
      let isIdle = state.queue.isEmpty
      defer { if isIdle { state.session = nil } }
      // In the same moment: where a session is open, somebody is at work, who closes it.
      return (over, isIdle ? state.session : nil, takeTurn(&state))
    }
    // Before the end is known: when the last test ends, so may the process.
    lastSession?.close()
    for over in over { over.tellEnd() }
    if case .begun = outcome { startWorkers() }
    return next
  }

  /// Takes the first that may start: a suite with few at a time does not hold up the others.
  private func takeTurn(_ state: inout State) -> Turn? {
    guard let index = state.queue.firstIndex(where: { mayStart($0, state) }) else { return nil }
    let session = state.session ?? RunSession(in: temporaryDirectory, appLimit: limit, seals: seals)
    if state.session == nil { (state.session, state.begunJobs) = (session, 0) }
    let worker = (1...).first { !state.workers.contains($0) } ?? 1
    state.workers.insert(worker)
    let work = state.queue[index].takeWork(number: &state.begunJobs)
    let queued = state.queue[index]
    state.running[ObjectIdentifier(queued.job.suite), default: 0] += 1
    return Turn(
      job: queued.job, jobNumber: queued.number, work: work, worker: worker, session: session)
  }

  private func mayStart(_ queued: Queued, _ state: State) -> Bool {
    let suite = queued.job.suite
    guard state.workers.count < max(limit, suite.jobLimit),
      state.running[ObjectIdentifier(suite), default: 0] < suite.jobLimit
    else { return false }
    return switch queued.stage {
    case .waiting: true
    case .beginning, .failed: false
    case .running: queued.hasMore
    }
  }
}

/// Opens the resources for the first job that needs them, and leaves nothing of them behind.
private final class RunSession: Sendable {
  /// More apps than that are not told to the watchdog by their groups, but found by their marks.
  private static let watchedApps = 1024

  private let temporaryDirectory: String
  private let appLimit: Int
  private let seals: Set<NetworkSeal>
  private let opened = Mutex<RunResources?>(nil)

  init(in temporaryDirectory: String, appLimit: Int, seals: Set<NetworkSeal>) {
    self.temporaryDirectory = temporaryDirectory
    self.appLimit = appLimit
    self.seals = seals
  }

  func open() throws(SystemError) -> RunResources {
    try opened.withLock { opened throws(SystemError) in
      if let opened { return opened }
      let new = try RunResources(
        in: temporaryDirectory, appLimit: max(appLimit, Self.watchedApps), seals: seals)
      opened = new
      return new
    }
  }

  func killApps() { opened.withLock { $0 }?.hunter.killAll() }

  func close() {
    opened.withLock { opened in
      opened?.close()
      opened = nil
    }
  }
}
