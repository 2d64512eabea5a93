import AppHarness
import Foundation
import HarnessProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a request costs through the interceptor, beside the least that a `URLProtocol` can do.
enum InterceptorBenchmark: Benchmark {
  static let name = "interceptor"
  private static let count = 500
  private static let rounds = 40

  /// Many short rounds of both, in turn: what else the machine does hits both, and spares a few of each.
  static func run(_ write: (String) -> Void) throws {
    let folder = NSTemporaryDirectory() + "interceptor-benchmark-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // What the protocol finds by itself.
    _ = try RequestInterceptor(
      environment: [LaunchEnvironment.sharedDirectory: folder],
      clock: VirtualClock(start: .now), network: .init(), counter: .init(), warn: { _ in })
    let minimal = URLSessionConfiguration.ephemeral
    minimal.urlCache = nil
    minimal.protocolClasses?.insert(MinimalProtocol.self, at: 0)
    let intercepted = URLSessionConfiguration.ephemeral
    RequestInterceptor.intercept(intercepted)
    for way in Way.allCases {
      var floor = Cost(wall: .infinity, processor: .infinity)
      var cost = floor
      for _ in 0..<rounds {
        floor.lower(to: Self.cost(way, minimal))
        cost.lower(to: Self.cost(way, intercepted))
      }
      write(
        "interceptor, \(way.rawValue): \(text(cost.wall, floor.wall)); in processor time "
          + text(cost.processor, floor.processor))
    }
  }

  private static func text(_ cost: Double, _ floor: Double) -> String {
    let each = { (seconds: Double) in Measurement.text(seconds / Double(count) * 1e6, 1) }
    return
      "\(each(cost)) µs a request, \(Measurement.text(cost / floor)) × a minimal URLProtocol (\(each(floor)) µs)"
  }

  private struct Cost {
    var wall: Double
    /// What all threads used: other programs on the machine don't count.
    var processor: Double

    mutating func lower(to other: Cost) {
      wall = min(wall, other.wall)
      processor = min(processor, other.processor)
    }
  }

  private enum Way: String, CaseIterable {
    case awaited = "one after the other, awaited"
    case handlers = "one after the other, by handler"
    case atOnce = "500 at once"
  }

  private static func cost(_ way: Way, _ configuration: URLSessionConfiguration) -> Cost {
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    let processor = clock()
    let wall = Measurement.seconds(runs: 1) {
      switch way {
      case .awaited: awaited(session)
      case .handlers: handled(session, inFlight: 1)
      case .atOnce: handled(session, inFlight: count)
      }
    }
    return Cost(wall: wall, processor: Double(clock() - processor) / Double(CLOCKS_PER_SEC))
  }

  private static func awaited(_ session: URLSession) {
    let done = DispatchSemaphore(value: 0)
    Task {
      for number in 0..<count { _ = try? await session.data(for: request(number)) }
      done.signal()
    }
    done.wait()
  }

  private static func handled(_ session: URLSession, inFlight: Int) {
    let free = DispatchSemaphore(value: inFlight)
    let done = DispatchGroup()
    for number in 0..<count {
      free.wait()
      done.enter()
      session.dataTask(with: request(number)) { _, _, _ in
        free.signal()
        done.leave()
      }.resume()
    }
    done.wait()
  }

  private static func request(_ number: Int) -> URLRequest {
    var components = URLComponents()
    components.scheme = "https"
    components.host = "ad.example.com"
    components.path = "/impression"
    components.query = "ad=A-\(number)"
    return URLRequest(url: components.url ?? URL(filePath: "/"))
  }
}

/// Answers 200 without a look at the request.
private final class MinimalProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func stopLoading() {}

  override func startLoading() {
    guard let url = request.url,
      let response = HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil)
    else { return }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocolDidFinishLoading(self)
  }
}
