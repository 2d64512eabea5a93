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

/// The body of a request, wherever the app has put it.
enum RequestBody {
  /// The request shows it, or there is none.
  case visible
  case data(Data?)
  case stream(InputStream)
  /// An upload task whose delegate hands out the stream when it is asked.
  case delegate

  init(_ request: URLRequest, _ task: URLSessionTask?) {
    if request.httpBody != nil {
      self = .visible
    } else if let stream = request.httpBodyStream {
      self = .stream(stream)
    } else if let task = task as? URLSessionUploadTask {
      self = TaskInternals.uploadBody(of: task)
    } else {
      self = .visible
    }
  }

  /// Reads a stream to its end; blocks until its other end has written everything.
  static func contents(of stream: InputStream) -> Data {
    stream.open()
    defer { stream.close() }
    var body = Data()
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = stream.read(&chunk, maxLength: chunk.count), count > 0 {
      body.append(contentsOf: chunk[..<count])
    }
    return body
  }
}
