import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tasks that a `URLProtocol` can't serve.
enum UnsupportedTask {
  /// - Returns: the error for the app; `nil` where the task can be served.
  static func refusal(of task: URLSessionTask?) -> URLError? {
    if task is URLSessionDataTask { return nil }
    if task is URLSessionWebSocketTask {
      return error("Web sockets can't be intercepted. Put a fake behind a protocol of the app.")
    }
    if !TaskInternals.servesDownloads, task is URLSessionDownloadTask {
      return error("Download tasks can't be intercepted here. Use a data task under the kit.")
    }
    return nil
  }

  private static func error(_ message: String) -> URLError {
    URLError(.unsupportedURL, userInfo: [NSLocalizedDescriptionKey: message])
  }
}
