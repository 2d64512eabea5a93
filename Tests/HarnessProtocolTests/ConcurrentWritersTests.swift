import Dispatch
import Foundation
import HarnessProtocol
import Synchronization
import TestSupport
import Testing

@Suite("Several writers at once", .waitsForPrograms)
struct ConcurrentWritersTests {
  @Test("Threads of one process lose nothing, tear nothing and count on")
  func threads() throws {
    let folder = try TemporaryFolder()
    let writer = try StoreWriter(folder: folder.path, processID: 1)
    let failures = Failures()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for index in 0..<500 {
        let padding = String(repeating: "x", count: index % 50 == 0 ? 70_000 : index)
        do {
          try writer.append(RecordedRequest(url: "https://a.example/\(thread)/\(index)?\(padding)"))
        } catch {
          failures.add(error)
        }
      }
    }
    #expect(failures.all.isEmpty)
    let urls = try requests(in: folder).map { $0.url.prefix { $0 != "?" } }
    #expect(urls.count == 4000)
    #expect(Set(urls).count == 4000)
    // Each thread's own requests are in its order.
    for thread in 0..<8 {
      let own = urls.filter { $0.hasPrefix("https://a.example/\(thread)/") }
      #expect(own == (0..<500).map { "https://a.example/\(thread)/\($0)" })
    }
  }

  @Test("Processes that append to one file with a shell, beside the kit's files")
  func processes() throws {
    let folder = try TemporaryFolder()
    let shells = try (0..<4).map { shell in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      let file = folder.path + "/storedRequests.jsonl"
      process.arguments = [
        "-c",
        "i=0; while [ $i -lt 200 ]; do echo \"https://a.example/\(shell)/$i\" >> '\(file)'; i=$((i+1)); done",
      ]
      try process.run()
      return process
    }
    let writers = try (1...4).map { try StoreWriter(folder: folder.path, processID: $0) }
    for index in 0..<200 {
      for (number, writer) in writers.enumerated() {
        try writer.append(RecordedRequest(url: "https://b.example/\(number)/\(index)", action: 0))
      }
    }
    for shell in shells { shell.waitUntilExit() }
    let urls = try requests(in: folder).map(\.url)
    #expect(urls.count == 1600)
    #expect(Set(urls).count == 1600)
  }
}

private final class Failures: Sendable {
  private let errors = Mutex<[String]>([])

  var all: [String] { errors.withLock { $0 } }

  func add(_ error: any Error) {
    errors.withLock { $0.append("\(error)") }
  }
}
