import Foundation

extension RecordedRequestLine {
  /// The whole line of a request, newline included.
  ///
  /// The same request always gives the same bytes: headers are sorted by name.
  package static func bytes(of request: RecordedRequest) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(request.url.utf8.count + (request.body?.count ?? 0) + 256)
    line.append(contentsOf: #"{"url":"#.utf8)
    JSONText.append(request.url, to: &line)
    if let method = request.method {
      line.append(contentsOf: #","method":"#.utf8)
      JSONText.append(method, to: &line)
    }
    appendHeaders(request.headers, to: &line)
    appendBody(request.body, to: &line)
    if let action = request.action {
      line.append(contentsOf: #","action":\#(action)"#.utf8)
    }
    if let time = request.time, time.isFinite {
      line.append(contentsOf: #","time":\#(time)"#.utf8)
    }
    if let clock = request.clock, clock.isFinite {
      line.append(contentsOf: #","clock":\#(clock)"#.utf8)
    }
    if let answer = request.answer {
      line.append(contentsOf: #","answer":"\#(answer.rawValue)""#.utf8)
    }
    line.append(contentsOf: "}\n".utf8)
    return line
  }

  /// The whole line of a request's end, newline included.
  ///
  /// - Parameter number: the request's number in its file, from 1.
  package static func bytes(of end: RequestEnd, number: Int) -> [UInt8] {
    var line = Array(#"{"ends":\#(number),"#.utf8)
    switch end {
    case .status(let status): line.append(contentsOf: #""status":\#(status)"#.utf8)
    case .error(let name):
      line.append(contentsOf: #""error":"#.utf8)
      JSONText.append(name, to: &line)
    }
    line.append(contentsOf: "}\n".utf8)
    return line
  }

  private static func appendHeaders(_ headers: [String: String], to line: inout [UInt8]) {
    guard !headers.isEmpty else { return }
    line.append(contentsOf: #","headers":{"#.utf8)
    var separator: [UInt8] = []
    for (name, value) in headers.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    {
      line.append(contentsOf: separator)
      JSONText.append(name, to: &line)
      line.append(UInt8(ascii: ":"))
      JSONText.append(value, to: &line)
      separator = [UInt8(ascii: ",")]
    }
    line.append(UInt8(ascii: "}"))
  }

  private static func appendBody(_ body: [UInt8]?, to line: inout [UInt8]) {
    guard let body else { return }
    if let text = String(validating: body, as: UTF8.self) {
      line.append(contentsOf: #","body":"#.utf8)
      JSONText.append(text, to: &line)
    } else {
      line.append(contentsOf: #","bodyBase64":""#.utf8)
      line.append(contentsOf: Data(body).base64EncodedData())
      line.append(UInt8(ascii: "\""))
    }
  }
}
