import CSupervision
import Foundation
import ScenarioCore
import Synchronization

/// What keeps the apps of a run, and all that they start, from the network.
final class Seal: Sendable {
  /// The strongest that the system allows, of those that may be used.
  let kind: NetworkSeal
  let method: csupervision_seal
  private let keeper: SealKeeper?

  /// - Parameter seals: which may be used.
  init(among seals: Set<NetworkSeal>) {
    if seals.contains(.systemCalls), Self.callsWork, let keeper = try? SealKeeper() {
      self.keeper = keeper
      (kind, method) = (.systemCalls, CSUPERVISION_SEAL_CALLS)
      return
    }
    keeper = nil
    if seals.contains(.namespace), let method = Self.namespace {
      (kind, self.method) = (.namespace, method)
    } else {
      (kind, method) = (.none, CSUPERVISION_SEAL_NONE)
    }
  }

  // Tried once in a process: what the system allows it doesn't change.

  private static let callsWork = csupervision_seal_works(CSUPERVISION_SEAL_CALLS)

  /// Without a user namespace where that is possible, so that an app of root keeps its rights.
  private static let namespace = [
    CSUPERVISION_SEAL_NAMESPACE, CSUPERVISION_SEAL_USER_NAMESPACE,
  ].first(where: csupervision_seal_works)

  /// Watches what a launch tries.
  ///
  /// - Parameter listener: is closed with the watch; -1 where there is none.
  /// - Returns: `nil` where this seal tells of nothing.
  func watch(_ listener: Int32) throws(SystemError) -> SealWatch? {
    guard listener >= 0, let keeper else { return nil }
    return try keeper.watch(listener)
  }

  /// All apps have ended.
  func stop() { keeper?.stop() }
}

/// The one thread that answers what the filters of all apps tell.
final class SealKeeper: Sendable {
  private let listeners: Descriptor
  /// A byte in it ends the thread.
  private let bell: Pipe
  private let watches = Mutex<[UInt64: SealWatch]>([:])
  private let serial = Atomic<UInt64>(1)
  private let searchDomains = SearchDomains()

  private static let bellKey: UInt64 = 0

  fileprivate init() throws(SystemError) {
    bell = try Pipe()
    listeners = Descriptor(csupervision_listeners_open())
    guard listeners.isOpen,
      csupervision_listeners_add(listeners.number, bell.reading.number, Self.bellKey) == 0
    else { throw SystemError("epoll") }
    Thread.detachNewThread { self.serve() }
  }

  fileprivate func stop() {
    var byte: UInt8 = 1
    _ = write(bell.writing.number, &byte, 1)
  }

  fileprivate func watch(_ listener: Int32) throws(SystemError) -> SealWatch {
    let (_, key) = serial.wrappingAdd(1, ordering: .relaxed)
    let watch = SealWatch(listener, searchDomains) { [weak self] in
      guard let self else { return }
      csupervision_listeners_remove(listeners.number, listener)
      watches.withLock { _ = $0.removeValue(forKey: key) }
    }
    watches.withLock { $0[key] = watch }
    if csupervision_listeners_add(listeners.number, listener, key) != 0 {
      let failure = SystemError("watch the app's system calls")
      _ = watch.finish()
      throw failure
    }
    return watch
  }

  private func serve() {
    BrokenPipes.blockSignal()
    while true {
      var key = Self.bellKey
      let isReadable = csupervision_listeners_wait(listeners.number, &key)
      if key == Self.bellKey { return }
      guard let watch = watches.withLock({ $0[key] }) else { continue }
      if isReadable {
        watch.serve()
      } else {
        watch.hangUp(listeners.number)
      }
    }
  }
}

/// What one launch, and all that it started, tried.
final class SealWatch: Sendable {
  private struct State {
    /// -1 once it is closed.
    var listener: Int32
    var cause = RequestCause.launch
    var log: AttemptLog
  }

  private let state: Mutex<State>
  private let leave: @Sendable () -> Void

  /// - Parameter leave: takes the listener from those that are waited for.
  fileprivate init(
    _ listener: Int32, _ searchDomains: SearchDomains, leave: @escaping @Sendable () -> Void
  ) {
    state = Mutex(State(listener: listener, log: AttemptLog(searchDomains: searchDomains)))
    self.leave = leave
  }

  /// What is in hand from now on.
  func begin(_ cause: RequestCause) { state.withLock { $0.cause = cause } }

  /// Whether all processes of the launch have ended, however they hid: waits a moment for it, as the
  /// system takes the last of them away.
  ///
  /// Before Linux 6.11 they must be reaped as well.
  var isDeserted: Bool {
    // Not under the lock, which the thread of all watches takes; `finish` alone closes it.
    let listener = state.withLock { $0.listener }
    guard listener >= 0 else { return true }
    var waited = pollfd(fd: listener, events: 0, revents: 0)
    return poll(&waited, 1, Self.patienceMilliseconds) == 1
  }

  private static let patienceMilliseconds: Int32 = 100

  /// Ends the watch.
  ///
  /// - Returns: what was refused, in order.
  func finish() -> [NetworkAttempt] {
    leave()
    return state.withLock { state in
      if state.listener >= 0 { close(state.listener) }
      state.listener = -1
      return state.log.attempts
    }
  }

  /// Takes one call and answers it; under the lock, so that what was taken is known before `finish`
  /// asks. It is noted before the app goes on.
  fileprivate func serve() {
    state.withLock { state in
      var attempt = csupervision_attempt()
      guard state.listener >= 0, csupervision_seal_receive(state.listener, &attempt) else { return }
      let answer = state.log.note(RefusedCall(attempt), during: state.cause)
      csupervision_seal_answer(state.listener, attempt.id, answer.errorNumber)
    }
  }

  /// All processes have ended: nothing more comes.
  fileprivate func hangUp(_ listeners: Int32) {
    state.withLock { state in
      if state.listener >= 0 { csupervision_listeners_remove(listeners, state.listener) }
    }
  }
}
