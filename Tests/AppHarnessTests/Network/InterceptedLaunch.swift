import Dispatch
import Foundation
import HarnessProtocol
import SourceText
import StubMappings
import Synchronization
import Testing

@testable import AppHarness

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests that need the process's one interceptor: one at a time.
@Suite("The interceptor, by real sessions", .serialized)
struct InterceptorTests {}

/// What a launch has of the network, in a folder of its own.
final class InterceptedLaunch: Sendable {
  let clock = VirtualClock(start: Date(timeIntervalSince1970: 1_767_225_600))
  let network = NetworkCondition()
  let counter = WorkCounter()
  let interceptor: RequestInterceptor
  let folder: String
  let warnings = Lines()

  /// - Parameters:
  ///   - stubs: the texts of stub files.
  ///   - files: body files by name.
  init(stubs: String..., files: [String: Data] = [:]) throws {
    folder = NSTemporaryDirectory() + "network-tests-" + UUID().uuidString
    let (fixtures, shared) = (folder + "/Fixtures", folder + "/Shared")
    for path in [fixtures, shared] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    for (name, contents) in files {
      try contents.write(to: URL(fileURLWithPath: fixtures + "/" + name))
    }
    var set = StubSet()
    let diagnostics = DiagnosticCollector()
    for text in stubs {
      set.add(
        SourceFile(path: "stubs.json", text: text), bodyFiles: FixtureFolder(path: fixtures),
        diagnostics)
    }
    try #require(diagnostics.diagnostics.isEmpty)
    let warnings = warnings
    interceptor = RequestInterceptor(
      store: try StoreWriter(folder: shared, processID: 1), stubs: StubReplay(set),
      fixtures: FixtureFolder(path: fixtures), clock: clock, network: network, counter: counter,
      warn: { warnings.add($0) })
  }

  deinit {
    RequestInterceptor.current.withLock { $0 = nil }
    try? FileManager.default.removeItem(atPath: folder)
  }

  func configuration(
    _ change: (URLSessionConfiguration) -> Void = { _ in }
  ) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    change(configuration)
    RequestInterceptor.intercept(configuration)
    return configuration
  }

  func session(delegate: (any URLSessionDelegate)? = nil) -> URLSession {
    URLSession(configuration: configuration(), delegate: delegate, delegateQueue: nil)
  }

  /// Waits until every request has been answered, and its callbacks have returned.
  func rest() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [counter, interceptor] in
        var epoch = -1
        while epoch != counter.epoch || !counter.isIdle {
          epoch = counter.epoch
          _ = counter.waitUntilIdle(before: .now() + 600, limit: .max)
          _ = interceptor.flush(before: .now() + 600)
        }
        continuation.resume()
      }
    }
    #expect(counter.isIdle)
  }

  /// What has been recorded so far.
  func records() throws -> [RecordedRequest] {
    var requests: [RecordedRequest] = []
    try StoreReader(folder: folder + "/Shared").forEachLine { requests.append($0.request) }
    return requests
  }

  /// The records in short: method, URL and answer.
  func lines() throws -> [String] {
    try records().map { record in
      "\(record.method ?? "-") \(record.url) \(record.answer?.rawValue ?? "-")"
        + (record.end == .cancelled ? " cancelled" : "")
    }
  }
}

/// Texts that several threads add.
final class Lines: Sendable {
  private let texts = Mutex<[String]>([])
  func add(_ text: String) { texts.withLock { $0.append(text) } }
  var all: [String] { texts.withLock { $0 } }
}

func url(_ text: String) -> URL {
  // Tests write only URLs that can be read.
  URL(string: text) ?? URL(filePath: "/no-url")
}

/// The code of the error that work ends with.
func errorCode(_ work: () async throws -> Void) async -> URLError.Code? {
  do {
    try await work()
    return nil
  } catch {
    return (error as? URLError)?.code
  }
}
