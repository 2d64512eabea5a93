import Foundation
import RequestMatching
import SourceText
import StubMappings

/// What a launch with a large capture costs, beside reading its bytes.
enum CaptureBenchmark: Benchmark {
  static let name = "capture"
  private static let entryCount = 10_000

  static func run(_ write: (String) -> Void) throws {
    let bytes = Array(capture().utf8)
    let path = NSTemporaryDirectory() + "capture-benchmark-\(UUID().uuidString).har"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let floor = try Measurement.seconds {
      _ = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    var replay: StubReplay?
    let load = try Measurement.seconds {
      let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
      var set = StubSet()
      set.add(SourceFile(path: path, bytes: Array(data)), DiagnosticCollector())
      replay = StubReplay(set)
    }
    var number = 0
    let answers = try Measurement.seconds {
      for _ in 0..<100 {
        let url = "https://api.example.com/items/\(number % entryCount)?page=1"
        guard try replay?.answer(to: MatchableRequest(method: "GET", url: url)) != nil else {
          throw CaptureMissesRequest()
        }
        number += 77
      }
    }
    write(
      "capture, \(bytes.count / 1_000_000) MB with \(entryCount) entries: loaded in "
        + "\(Measurement.text(load * 1000, 0)) ms (reading the bytes alone: "
        + "\(Measurement.text(floor * 1000, 0)) ms), then \(Measurement.text(answers * 1e4, 0)) µs an answer"
    )
  }

  private struct CaptureMissesRequest: Error {}

  /// Entries as browsers write them: a dozen headers each way, and a JSON body of 3 KB with escapes.
  private static func capture() -> String {
    let headers = (0..<12).map {
      #"{"name": "X-Header-\#($0)", "value": "some value of a header \#($0)"}"#
    }
    let list = "[" + headers.joined(separator: ", ") + "]"
    let body = String(repeating: #"{\"id\":1,\"title\":\"a book\"},\n"#, count: 95)
    let entries = (0..<entryCount).map { number in
      #"""
      {"startedDateTime": "2026-01-01T00:00:00.\#(number % 1000)Z", "time": 12.5,
       "request": {"method": "GET", "url": "https://api.example.com/items/\#(number)?page=1",
        "httpVersion": "HTTP/2", "headers": \#(list), "queryString": [{"name": "page", "value": "1"}],
        "cookies": [], "headersSize": -1, "bodySize": 0},
       "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/2", "headers": \#(list),
        "cookies": [], "content": {"size": 2000, "mimeType": "application/json", "text": "\#(body)"},
        "redirectURL": "", "headersSize": -1, "bodySize": 2000},
       "cache": {}, "timings": {"send": 0, "wait": 12, "receive": 0.5}}
      """#
    }
    return #"{"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": ["#
      + entries.joined(separator: ",\n") + "]}}"
  }
}
