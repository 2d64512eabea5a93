import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Keeps nothing, and says so at once.
///
/// The shared session can't do without a cache; swift-corelibs-foundation asks it on a queue of its own, on
/// which nobody would see the request.
///
/// Unchecked, as its superclass is: it has no state.
final class NoCache: URLCache, @unchecked Sendable {
  override func cachedResponse(for request: URLRequest) -> CachedURLResponse? { nil }

  override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {}

  override func getCachedResponse(
    for dataTask: URLSessionDataTask,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    completionHandler(nil)
  }

  override func storeCachedResponse(
    _ cachedResponse: CachedURLResponse, for dataTask: URLSessionDataTask
  ) {}
}
