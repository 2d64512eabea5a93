// Nothing of the kit here: this is how code waits that calls the system itself.
@preconcurrency import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if os(Linux)
  import ForeignCalls
  import Synchronization

  /// Waits of the system: for descriptors, by its own clock, and for children.
  ///
  /// Unchecked: called on the main thread alone.
  final class SystemWaits: @unchecked Sendable {
    enum Kind: String, CaseIterable {
      // For a second of the app's clock.
      case poll, ppoll, select, pselect
      case epoll = "epoll_wait"
      case epollMask = "epoll_pwait"
      case pollBlock, timerRead, timerPoll, timerCall, setitimer
      case timerCreate = "timer_create"
      case timerThread
      // For data that somebody writes, and for data that nobody writes.
      case polled, polledForEver, selected, epolled, channel, silentPoll, silentChannel,
        silentSource
      // For 30 ms of the system's clock.
      case rawSleep, rawPoll, receiving, signalWait, semaphoreLimit, mutexLimit
      // For children that take 0.1 s, and for some that never end.
      case child, grandchild, output, shell, process, handler, childDescriptor, connectedChild
      case lonelyChild, blockedChild, endChildren
      case pollRequest, rawRequest, childRequest
    }

    private let done: Counter
    private let pipe = Pipe()
    private var channels: [DispatchIO] = []
    private var sources: [any DispatchSourceProtocol] = []

    init(_ done: Counter) { self.done = done }

    func start(_ kind: Kind, _ piece: Int) {
      let done = done
      let finish: @Sendable () -> Void = { DispatchQueue.global().async { done.add() } }
      let send: @Sendable () -> Void = { Self.request(kind, piece) }
      let silent = pipe.fileHandleForReading.fileDescriptor
      switch kind {
      case .poll, .ppoll, .select, .pselect, .epoll, .epollMask:
        onThread(finish) { Self.loop(kind.rawValue, silent) }
      case .pollRequest: onThread(send) { Self.loop("poll", silent) }
      case .timerRead: onThread(finish) { foreign_wait_for_timer(0) }
      case .timerPoll: onThread(finish) { foreign_wait_for_timer(1) }
      case .timerCall: onThread(finish) { foreign_wait_for_timer_by_number() }
      case .setitimer, .timerCreate, .timerThread: signalTimer(kind, piece, finish)
      case .pollBlock:
        // No more than the pool has threads for.
        DispatchQueue.global().async {
          if piece < 2 { Self.loop("poll", silent) }
          finish()
        }
      case .polled: answered("poll", 3_600_000, finish)
      case .polledForEver: answered("poll", -1, finish)
      case .selected: answered("select", 3_600_000, finish)
      case .epolled: answered("epoll_wait", 3_600_000, finish)
      case .silentPoll:
        if piece < 2 {
          DispatchQueue(label: "silent").async { _ = foreign_wait("poll", silent, -1) }
        }
        finish()
      case .channel: channel(finish)
      case .silentChannel: silentChannel(piece, silent, finish)
      case .silentSource: silentSource(piece, silent, finish)
      case .rawSleep: onThread(finish) { foreign_sleep("nanosleep") }
      case .rawRequest: onThread(send) { foreign_sleep("nanosleep") }
      case .rawPoll: onThread(finish) { foreign_sleep("ppoll") }
      case .receiving: onThread(finish) { foreign_sleep("recv") }
      case .signalWait: onThread(finish) { foreign_sleep("sigtimedwait") }
      case .semaphoreLimit: onThread(finish) { foreign_sleep("sem_timedwait") }
      case .mutexLimit: onThread(finish) { foreign_sleep("pthread_mutex_timedlock") }
      case .childRequest: if piece < 3 { Children.start(.child, silent, send) }
      default: if piece < 3 { Children.start(kind, silent, finish) } else { finish() }
      }
    }

    private static let atSignal = Mutex<(@Sendable () -> Void)?>(nil)

    /// One timer for all pieces: a process has one, and one handler.
    private func signalTimer(
      _ kind: Kind, _ piece: Int, _ finish: @escaping @Sendable () -> Void
    ) {
      guard piece == 0 else { return }
      Self.atSignal.withLock { $0 = { for _ in 0..<Counter.pieces { finish() } } }
      foreign_call_later(kind == .timerThread ? "thread" : kind.rawValue) {
        SystemWaits.atSignal.withLock { $0 }?()
      }
    }

    private func onThread(
      _ end: @escaping @Sendable () -> Void, _ wait: @escaping @Sendable () -> Void
    ) {
      Thread.detachNewThread {
        wait()
        end()
      }
    }

    /// In four parts, as a loop waits that looks after something else in between.
    private static func loop(_ way: String, _ descriptor: Int32) {
      for _ in 0..<4 { precondition(foreign_wait(way, descriptor, 250) == 0, way) }
    }

    private static func request(_ kind: Kind, _ piece: Int) {
      guard let url = URL(string: "https://c.example.com/\(kind.rawValue)?piece=\(piece)") else {
        return
      }
      URLSession.shared.dataTask(with: url).resume()
    }

    private func answered(
      _ way: String, _ milliseconds: Int32, _ finish: @escaping @Sendable () -> Void
    ) {
      let pipe = Pipe()
      onThread(finish) {
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        precondition(foreign_wait(way, descriptor, milliseconds) == 1, way)
      }
      DispatchQueue.global().async { try? pipe.fileHandleForWriting.write(contentsOf: Data([1])) }
    }

    private func channel(_ finish: @escaping @Sendable () -> Void) {
      let pipe = Pipe()
      let queue = DispatchQueue(label: "channel")
      let channel = DispatchIO(
        type: .stream, fileDescriptor: pipe.fileHandleForReading.fileDescriptor, queue: queue
      ) { _ in
        // The end of the channel, whose descriptor is free from here on.
        _ = pipe
        finish()
      }
      channel.read(offset: 0, length: 1, queue: queue) { isDone, _, _ in
        if isDone { channel.close() }
      }
      queue.async { try? pipe.fileHandleForWriting.write(contentsOf: Data([1])) }
    }

    private func silentChannel(
      _ piece: Int, _ descriptor: Int32, _ finish: @escaping @Sendable () -> Void
    ) {
      if piece == 0 {
        let channel = DispatchIO(
          type: .stream, fileDescriptor: descriptor, queue: .global()
        ) { _ in }
        channel.read(offset: 0, length: 16, queue: .global()) { _, _, _ in }
        channels.append(channel)
      }
      finish()
    }

    private func silentSource(
      _ piece: Int, _ descriptor: Int32, _ finish: @escaping @Sendable () -> Void
    ) {
      if piece == 0 {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
        source.setEventHandler {}
        source.resume()
        sources.append(source)
      }
      finish()
    }
  }

  private enum Children {
    private static let staying = Mutex<[pid_t]>([])

    static func start(
      _ kind: SystemWaits.Kind, _ descriptor: Int32, _ finish: @escaping @Sendable () -> Void
    ) {
      switch kind {
      case .process, .handler: return process(kind, finish)
      case .connectedChild:
        // Connected before the action is over.
        var child: pid_t = 0
        let descriptor = foreign_connected_child(&child)
        Thread.detachNewThread { [child] in
          var byte: UInt8 = 0
          precondition(read(descriptor, &byte, 1) == 0)
          close(descriptor)
          waitpid(child, nil, 0)
          finish()
        }
        return
      case .lonelyChild: staying.withLock { $0.append(foreign_spawn("exec sleep 60", descriptor)) }
      case .blockedChild:
        // Two that wait for each other.
        let child = foreign_spawn("exec cat <&3", descriptor)
        staying.withLock { $0.append(child) }
        Thread.detachNewThread { waitpid(child, nil, 0) }
      case .endChildren:
        for child in staying.withLock({ $0 }) {
          kill(child, SIGKILL)
          waitpid(child, nil, 0)
        }
        staying.withLock { $0 = [] }
      default:
        Thread.detachNewThread {
          wait(kind, descriptor)
          finish()
        }
        return
      }
      finish()
    }

    private static func wait(_ kind: SystemWaits.Kind, _ descriptor: Int32) {
      switch kind {
      case .grandchild: waitpid(foreign_spawn("sleep 0.1; true", descriptor), nil, 0)
      case .output: precondition(output() == "done\n")
      case .shell: precondition(system("sleep 0.1") == 0)
      case .childDescriptor:
        foreign_wait_for_child(foreign_spawn("exec sleep 0.1", descriptor))
      default: waitpid(foreign_spawn("exec sleep 0.1", descriptor), nil, 0)
      }
    }

    private static func process(
      _ kind: SystemWaits.Kind, _ finish: @escaping @Sendable () -> Void
    ) {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "sleep 0.1"]
      if kind == .handler { process.terminationHandler = { _ in finish() } }
      do { try process.run() } catch { fatalError("\(error)") }
      guard kind == .process else { return }
      process.waitUntilExit()
      finish()
    }

    private static func output() -> String {
      guard let file = popen("sleep 0.1; echo done", "r") else { return "" }
      var line = [CChar](repeating: 0, count: 16)
      _ = fgets(&line, 16, file)
      pclose(file)
      return String(
        decoding: line.map { UInt8(bitPattern: $0) }.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
#endif
