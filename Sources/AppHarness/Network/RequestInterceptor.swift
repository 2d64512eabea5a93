import Foundation
import HarnessWire
import RequestStore
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Records every request of the app and answers it; nothing reaches the network.
///
/// One a process: `URLProtocol` objects are made by the system, which hands them nothing of ours, so
/// that they can find the interceptor in one place only. An app has one launch, so one is enough.
final class RequestInterceptor: Sendable {
  /// Where `InterceptingProtocol` finds the interceptor.
  static let current = Mutex<RequestInterceptor?>(nil)

  let clock: VirtualClock
  let network: NetworkCondition
  let counter: WorkCounter
  private let store: StoreWriter
  private let launched = ContinuousClock.now
  private let actionInHand = Atomic<Int>(0)
  private let failure = Mutex<String?>(nil)

  /// - Throws: where the shared folder is missing, or can't be written.
  init(
    environment: [String: String], clock: VirtualClock, network: NetworkCondition,
    counter: WorkCounter
  ) throws {
    guard let folder = environment[LaunchEnvironment.sharedDirectory] else {
      throw MissingSharedFolder()
    }
    store = try StoreWriter(folder: folder, processID: ProcessInfo.processInfo.processIdentifier)
    self.clock = clock
    self.network = network
    self.counter = counter
    Self.current.withLock { $0 = self }
  }

  /// Puts the interceptor in front of a session's own protocols.
  func intercept(_ configuration: URLSessionConfiguration) {
    configuration.protocolClasses =
      [InterceptingProtocol.self] + (configuration.protocolClasses ?? [])
    // A cached answer would hide a request, and would be looked up behind the interceptor's back.
    configuration.urlCache = nil
  }

  func beginAction(_ id: Int) {
    actionInHand.store(id, ordering: .sequentiallyConsistent)
  }

  /// The action that causes what is asked for now.
  var currentAction: Int { actionInHand.load(ordering: .sequentiallyConsistent) }

  /// Why the store is not complete; `nil` while it is.
  var recordingFailure: String? { failure.withLock { $0 } }

  /// Records a request; a request that can't be recorded must not be answered.
  func record(
    _ request: URLRequest, body: Data?, action: Int, answer: RecordedRequest.Answer
  ) throws -> Int {
    let record = RecordedRequest(
      url: request.url?.absoluteString ?? "", method: request.httpMethod,
      headers: request.allHTTPHeaderFields ?? [:], body: body.map(Array.init), action: action,
      time: (ContinuousClock.now - launched) / .seconds(1), answer: answer)
    do {
      return try store.append(record)
    } catch {
      failure.withLock { $0 = $0 ?? "\(error)" }
      throw error
    }
  }

  func noteCancellation(of ordinal: Int) {
    do {
      try store.noteCancellation(of: ordinal)
    } catch {
      failure.withLock { $0 = $0 ?? "\(error)" }
    }
  }
}

/// The app was not started by the runner.
struct MissingSharedFolder: Error, CustomStringConvertible {
  var description: String {
    "\(LaunchEnvironment.sharedDirectory) is not set: start this app through scenario-run"
  }
}
