// Nothing of the kit here: this is how a library works that has never heard of it.
@preconcurrency import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Work that waits for no time, in every way that a library can start it.
///
/// Unchecked: called on the main thread alone.
final class ForeignWork: @unchecked Sendable {
  enum Kind: String, CaseIterable {
    case global, serial, concurrent, barrier, items, barrierItems, itemNotify, groupAsync,
      groupLeave
    case apply, dataSource, readSource, operations, dependencies, mainOperations, runLoop
    case threads, worker, queueExecutor, threadExecutor, continuations, semaphores, suspended
    case inactive, zeroDelay, saturated, shared, defaultSession, ephemeral, queued
    case performed, loop, logged
  }

  private let done: Counter
  private let serial = DispatchQueue(label: "serial")
  private let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
  private let operations = OperationQueue()
  private let worker = WorkerThread()
  private lazy var loop = LoopThread()
  private let sessions = [
    URLSession(configuration: .default), URLSession(configuration: .ephemeral),
  ]
  private var sources: [any DispatchSourceProtocol] = []

  init(_ done: Counter) { self.done = done }

  func start(_ kind: Kind, _ piece: Int) {
    let done = done
    let serial = serial
    let finish: @Sendable () -> Void = {
      // A piece that takes its time, and goes on after its end.
      _ = (0..<500).reduce(0, &+)
      DispatchQueue.global().async { serial.async { done.add() } }
    }
    switch kind {
    case .global: DispatchQueue.global(qos: .utility).async(execute: finish)
    case .serial: serial.async(execute: finish)
    case .concurrent: concurrent.async(execute: finish)
    case .barrier: concurrent.async(flags: .barrier, execute: finish)
    case .items: serial.async(execute: DispatchWorkItem(block: finish))
    case .barrierItems:
      concurrent.async(execute: DispatchWorkItem(flags: .barrier, block: finish))
    case .itemNotify: itemNotify(finish)
    case .groupAsync: groupAsync(finish)
    case .groupLeave: groupLeave(finish)
    case .apply: apply(finish)
    case .dataSource: dataSource(finish)
    case .readSource: readSource(finish)
    case .operations: operations.addOperation(finish)
    case .dependencies: dependencies(finish)
    case .mainOperations: OperationQueue.main.addOperation(finish)
    case .runLoop: RunLoop.main.perform(finish)
    case .threads: Thread.detachNewThread(finish)
    case .worker: worker.perform(finish)
    case .queueExecutor: Task { await OnQueue().run(finish) }
    case .threadExecutor: Task { await OnThread(worker).run(finish) }
    case .continuations: continuations(finish)
    case .semaphores: semaphores(finish)
    case .suspended: suspended(finish)
    case .inactive: inactive(finish)
    case .zeroDelay: DispatchQueue.global().asyncAfter(deadline: .now(), execute: finish)
    case .saturated: saturated(finish)
    case .shared: Self.request(URLSession.shared, kind, piece, finish)
    case .defaultSession: Self.request(sessions[0], kind, piece, finish)
    case .ephemeral: Self.request(sessions[1], kind, piece, finish)
    case .queued:
      concurrent.async { Self.request(URLSession.shared, kind, piece, finish) }
    case .performed:
      concurrent.async {
        RunLoop.main.perform { Self.request(URLSession.shared, kind, piece, finish) }
      }
    case .loop: loop.perform(finish)
    case .logged: Self.request(RequestLogger.session, kind, piece, finish)
    }
  }

  private func itemNotify(_ finish: @escaping @Sendable () -> Void) {
    let item = DispatchWorkItem {}
    item.notify(queue: concurrent, execute: finish)
    concurrent.async(execute: item)
  }

  private func groupAsync(_ finish: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    for _ in 0..<3 { concurrent.async(group: group) { _ = (0..<200).reduce(0, &+) } }
    group.notify(queue: concurrent, execute: finish)
  }

  /// A group that is never left besides: its notice must not count.
  private func groupLeave(_ finish: @escaping @Sendable () -> Void) {
    let endless = DispatchGroup()
    endless.enter()
    endless.notify(queue: serial) { fatalError("nobody leaves") }
    let group = DispatchGroup()
    group.enter()
    group.notify(queue: serial, execute: finish)
    concurrent.async { group.leave() }
  }

  private func apply(_ finish: @escaping @Sendable () -> Void) {
    concurrent.async {
      let sum = Counter()
      DispatchQueue.concurrentPerform(iterations: 8) { _ in sum.add() }
      if sum.value == 8 { finish() }
    }
  }

  private func dataSource(_ finish: @escaping @Sendable () -> Void) {
    let source = DispatchSource.makeUserDataAddSource(queue: serial)
    source.setEventHandler(handler: finish)
    source.resume()
    concurrent.async { source.add(data: 1) }
    sources.append(source)
  }

  private func readSource(_ finish: @escaping @Sendable () -> Void) {
    let pipe = Pipe()
    let source = DispatchSource.makeReadSource(
      fileDescriptor: pipe.fileHandleForReading.fileDescriptor, queue: serial)
    source.setEventHandler {
      _ = pipe.fileHandleForReading.availableData
      source.cancel()
      finish()
    }
    source.resume()
    concurrent.async { try? pipe.fileHandleForWriting.write(contentsOf: Data([1])) }
  }

  private func dependencies(_ finish: @escaping @Sendable () -> Void) {
    let first = BlockOperation { _ = (0..<200).reduce(0, &+) }
    let second = BlockOperation(block: finish)
    second.addDependency(first)
    operations.addOperations([second, first], waitUntilFinished: false)
  }

  private func continuations(_ finish: @escaping @Sendable () -> Void) {
    let concurrent = concurrent
    Task.detached {
      await withCheckedContinuation { continuation in
        concurrent.async { continuation.resume() }
      }
      finish()
    }
  }

  /// A block that waits for another's signal.
  private func semaphores(_ finish: @escaping @Sendable () -> Void) {
    let semaphore = DispatchSemaphore(value: 0)
    let waiting = DispatchQueue(label: "waiting")
    waiting.async {
      semaphore.wait()
      finish()
    }
    serial.async { semaphore.signal() }
  }

  private func suspended(_ finish: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    queue.async(execute: finish)
    serial.async { queue.resume() }
  }

  private func inactive(_ finish: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "inactive", attributes: .initiallyInactive)
    queue.async(execute: finish)
    serial.async { queue.activate() }
  }

  /// More blocks than the pool has threads, all of which wait for a last one.
  private func saturated(_ finish: @escaping @Sendable () -> Void) {
    let semaphore = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      semaphore.signal()
      finish()
    }
    DispatchQueue.global().async { semaphore.wait() }
  }

  private static func request(
    _ session: URLSession, _ kind: Kind, _ piece: Int, _ finish: @escaping @Sendable () -> Void
  ) {
    guard let url = URL(string: "https://b.example.com/\(kind.rawValue)?piece=\(piece)") else {
      return
    }
    session.dataTask(with: url) { _, _, _ in finish() }.resume()
  }
}

/// A thread that lives as long as the process, and waits for work on a condition.
final class WorkerThread: @unchecked Sendable {
  // The condition guards it.
  private var work: [@Sendable () -> Void] = []
  private let condition = NSCondition()

  init() {
    Thread.detachNewThread { [self] in
      while true {
        condition.lock()
        while work.isEmpty { condition.wait() }
        let next = work.removeFirst()
        condition.unlock()
        next()
      }
    }
  }

  func perform(_ piece: @escaping @Sendable () -> Void) {
    condition.withLock { work.append(piece) }
    condition.signal()
  }
}

/// A thread with a run loop of its own.
final class LoopThread: @unchecked Sendable {
  // Set before anybody else has it.
  private var loop = RunLoop.main

  init() {
    let hasLoop = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      loop = RunLoop.current
      // Without anything in it, it would end.
      loop.add(Timer(timeInterval: 86_400, repeats: true) { _ in }, forMode: .default)
      loop.perform { hasLoop.signal() }
      loop.run()
    }
    hasLoop.wait()
  }

  func perform(_ piece: @escaping @Sendable () -> Void) { loop.perform(piece) }
}

/// A protocol of the app's own that sees each request once, and sends it on.
final class RequestLogger: URLProtocol {
  /// What is logged.
  static let session: URLSession = {
    let configuration = URLSessionConfiguration.default
    configuration.protocolClasses?.insert(RequestLogger.self, at: 0)
    return URLSession(configuration: configuration)
  }()
  private static let onward = URLSession(configuration: .default)
  private static let queue = DispatchQueue(label: "logger")
  private static let mark = "isLogged"

  override class func canInit(with request: URLRequest) -> Bool {
    property(forKey: mark, in: request) == nil
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let marked = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else {
      return
    }
    Self.setProperty(true, forKey: Self.mark, in: marked)
    let request = marked as URLRequest
    // The app's own queue is one more between Foundation's.
    Self.queue.sync { Self.onward.dataTask(with: request) }.resume()
  }

  override func stopLoading() {}
}

final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

final class ThreadExecutor: SerialExecutor {
  private let thread: WorkerThread
  init(_ thread: WorkerThread) { self.thread = thread }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    thread.perform { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

actor OnQueue {
  private let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  func run(_ work: @Sendable () -> Void) { work() }
}

actor OnThread {
  private let executor: ThreadExecutor
  init(_ thread: WorkerThread) { executor = ThreadExecutor(thread) }
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  func run(_ work: @Sendable () -> Void) { work() }
}
