import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request of a task: the first, or one that a redirect leads to.
struct Hop {
  /// With all its headers and its body.
  var request: URLRequest
  /// 0 is the first.
  var number: Int

  func following(_ response: RequestAnswer.Response, to url: URL) -> Hop {
    Hop(
      request: RedirectedRequest.following(request, status: response.status, to: url),
      number: number + 1)
  }
}

/// The request that follows a redirect.
enum RedirectedRequest {
  /// More hops than that are a loop, as `URLSession` has it.
  static let limit = 20

  /// 303, and 301 or 302 after a POST, become a GET without a body; 307 and 308 are sent as they were
  /// (RFC 9110, section 15.4). Credentials stay with their origin, cookies with their storage.
  static func following(_ request: URLRequest, status: Int, to url: URL) -> URLRequest {
    var next = request
    next.url = url
    let method = request.httpMethod ?? "GET"
    if status == 303 && method != "HEAD" || (301...302).contains(status) && method == "POST" {
      next.httpMethod = "GET"
      next.httpBody = nil
      for header in ["Content-Type", "Content-Length", "Transfer-Encoding"] {
        next.setValue(nil, forHTTPHeaderField: header)
      }
    }
    next.setValue(nil, forHTTPHeaderField: "Cookie")
    if !isSameOrigin(url, request.url) { next.setValue(nil, forHTTPHeaderField: "Authorization") }
    return next
  }

  private static func isSameOrigin(_ url: URL, _ other: URL?) -> Bool {
    url.host() == other?.host() && url.scheme == other?.scheme && url.port == other?.port
  }
}

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
