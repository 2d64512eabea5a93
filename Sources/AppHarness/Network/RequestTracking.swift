import Synchronization

/// The life of one request: counted as running from its creation to the end of its completion
/// handler, once.
final class RequestTracking: Sendable {
  let interceptor: RequestInterceptor
  /// The action that caused the request.
  let action: Int
  private let progress = Mutex((ordinal: Int?.none, hasEnded: false))

  init(_ interceptor: RequestInterceptor) {
    self.interceptor = interceptor
    action = interceptor.currentAction
    interceptor.counter.begin(.request)
  }

  deinit { end() }

  func recorded(as ordinal: Int) {
    progress.withLock { $0.ordinal = ordinal }
  }

  /// The app cancelled the request; it is noted beside its record.
  func cancelled() {
    guard let ordinal = progress.withLock({ $0.ordinal }) else { return }
    interceptor.noteCancellation(of: ordinal)
  }

  /// Safe to be called again.
  func end() {
    let isFirst = progress.withLock { progress in
      defer { progress.hasEnded = true }
      return !progress.hasEnded
    }
    if isFirst { interceptor.counter.end(.request) }
  }
}
