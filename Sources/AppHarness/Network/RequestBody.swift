import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The body of a request, set as data, as a stream, or given to an upload task.
enum RequestBody {
  /// - Returns: `nil` where the request has none.
  static func of(_ request: URLRequest, _ task: URLSessionTask?) -> Data? {
    if let body = request.httpBody { return body }
    if let stream = request.httpBodyStream { return contents(of: stream) }
    return (task as? URLSessionUploadTask).flatMap(TaskInternals.uploadBody)
  }

  private static func contents(of stream: InputStream) -> Data {
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
