import CAppWorld
import Dispatch
import Foundation
import HarnessProtocol
import RequestMatching
import StubMappings
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Records every request of the app and decides what answers it; nothing reaches the network.
///
/// One a process: `URLProtocol` objects are made by the system, which hands them nothing of ours, so
/// that they can find the interceptor in one place only. An app has one launch, so one is enough.
package final class RequestInterceptor: Sendable {
  /// Where `InterceptingProtocol` finds the interceptor.
  static let current = Mutex<RequestInterceptor?>(nil)

  let clock: VirtualClock
  let network: NetworkCondition
  let counter: WorkCounter
  let sessions = InterceptedSessions()
  let waiting = WaitingTasks()
  /// What decides when answers come; `nil`: they come at once.
  let schedule: AnswerSchedule?
  private let fixtures: FixtureFolder
  private let store: StoreWriter
  private let stubs: StubReplay
  private let launched = appworld_real_nanoseconds()
  private let actionInHand = Atomic<Int>(0)
  private let failure = Mutex<String?>(nil)
  private let write: @Sendable (String) -> Void

  /// - Parameter warn: shows the app's developer a sentence.
  init(
    store: StoreWriter, stubs: StubReplay, fixtures: FixtureFolder, clock: VirtualClock,
    network: NetworkCondition, counter: WorkCounter, schedule: Schedule? = nil,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.store = store
    self.stubs = stubs
    self.fixtures = fixtures
    self.clock = clock
    self.network = network
    self.counter = counter
    self.schedule = schedule.map(AnswerSchedule.init)
    write = warn
    Self.current.withLock { $0 = self }
  }

  /// Puts the interceptor in front of a session's own protocols.
  package static func intercept(_ configuration: URLSessionConfiguration) {
    let others = (configuration.protocolClasses ?? []).filter { $0 != InterceptingProtocol.self }
    configuration.protocolClasses = [InterceptingProtocol.self] + others
    // A cached answer would hide a request, and would be looked up behind the interceptor's back.
    configuration.urlCache = nil
  }

  func beginAction(_ id: Int) {
    actionInHand.store(id, ordering: .sequentiallyConsistent)
  }

  /// The action that causes what is asked for now.
  var currentAction: Int { actionInHand.load(ordering: .sequentiallyConsistent) }

  /// Waits for what requests have set in motion and nobody counts: callbacks, and cancellations of
  /// requests that wait for the clock.
  ///
  /// - Returns: whether that came before the deadline.
  func flush(before deadline: DispatchTime) -> Bool {
    waiting.flushCancellations()
    return sessions.waitForCallbacks(before: deadline)
  }

  /// Why nothing can be said about the requests any more; `nil` while all is well.
  var recordingFailure: String? {
    do { try store.check() } catch { fail("\(error)") }
    return failure.withLock { $0 }
  }

  func fail(_ reason: String) {
    failure.withLock { $0 = $0 ?? reason }
  }

  func warn(_ sentence: String) { write(sentence) }

  /// What answers a request.
  ///
  /// - Returns: the answer, and why it may be the wrong one: a pattern that can't decide, a body that
  ///   can't be read.
  func answer(to request: URLRequest) -> (RequestAnswer, doubt: String?) {
    guard network.isOnline else { return (.offline, nil) }
    guard !stubs.isEmpty else { return (.default, nil) }
    let matchable = MatchableRequest(
      method: request.httpMethod, url: request.url?.absoluteString ?? "",
      headers: request.allHTTPHeaderFields ?? [:], body: request.httpBody.map(Array.init))
    do {
      guard let response = try stubs.answer(to: matchable) else { return (.default, nil) }
      return (try RequestAnswer(response, fixtures: fixtures), nil)
    } catch {
      return (.default, "\(error)")
    }
  }

  /// The stubs and captures that have answered something since the last call.
  ///
  /// - Returns: `nil` where there are no stubs.
  func takeUsedStubs() -> [StubSource]? { stubs.isEmpty ? nil : stubs.takeUsed() }

  /// Where the body of an answer is written that the app has got.
  func place(ofBody data: Data) -> BodyPlace? {
    stubs.place(ofBody: data) { [fixtures] in (try? fixtures.contents(of: $0)).map(Array.init) }
  }

  /// Records a request at the moment it starts.
  ///
  /// - Parameter end: where that is its end, too.
  /// - Returns: the number of its record.
  func record(
    _ request: URLRequest, action: Int, answer: RecordedRequest.Answer, end: RequestEnd?
  ) throws -> Int {
    let url = request.url?.absoluteString ?? ""
    let body = request.httpBody
    let recorded = RecordedRequest(
      url: url, method: request.httpMethod, headers: request.allHTTPHeaderFields ?? [:],
      action: action, time: Double(appworld_real_nanoseconds() - launched) / 1e9,
      clock: clock.now.offset / .seconds(1), answer: answer, end: end)
    let number = try append(recorded, body: body)
    schedule?.add(
      AskedRequest(method: request.httpMethod ?? "GET", url: url, action: action),
      body: body.map(Array.init) ?? [], record: number)
    return number
  }

  private func append(_ request: RecordedRequest, body: Data?) throws -> Int {
    guard let body else { return try store.append(request) }
    return try body.withUnsafeBytes { bytes in
      try bytes.withMemoryRebound(to: UInt8.self) { try store.append(request, body: $0) }
    }
  }

  /// Records a URL that the app hands to the system; nobody answers it.
  func recordOpening(of url: URL) {
    do {
      try store.append(
        RecordedRequest(
          url: url.absoluteString, method: RecordedRequest.openMethod, action: currentAction,
          time: Double(appworld_real_nanoseconds() - launched) / 1e9,
          clock: clock.now.offset / .seconds(1)))
    } catch {
      fail("\(error)")
    }
  }

  func recordEnd(_ end: RequestEnd, of number: Int) {
    do {
      try store.append(end, of: number)
    } catch {
      fail("\(error)")
    }
  }
}
