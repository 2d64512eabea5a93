import CSupervision
import Foundation
import HarnessProtocol
import ScenarioRunner
import Synchronization

/// The floor of a runner: nothing but starting the same app as often, with the same bytes on its
/// stdin, by as many threads, reading what it writes until its end.
///
/// It decodes nothing, and looks at nothing but the exit codes.
struct BareLoop {
  /// How the app is fed.
  enum Manner {
    /// All bytes at once, in one and the same home: no folder and no file is made.
    case atOnce
    /// A request once the one before is answered, and folders of its own for each launch: what any
    /// runner of such a dialogue has to do.
    case inTurns
  }

  var app: ChildProcess
  /// A line for each request.
  var requests: [[UInt8]]
  var count: Int
  var jobs: Int
  var manner = Manner.atOnce
  /// For the folders of the launches.
  var folder = ""

  /// - Returns: seconds.
  func run() throws -> Double {
    let next = Atomic<Int>(0)
    let failures = Atomic<Int>(0)
    let workers = DispatchGroup()
    let start = ContinuousClock.now
    for _ in 0..<min(jobs, count) {
      workers.enter()
      Thread.detachNewThread {
        while case let index = next.wrappingAdd(1, ordering: .relaxed).oldValue, index < count {
          if (try? launch(index)) != 0 { failures.wrappingAdd(1, ordering: .relaxed) }
        }
        workers.leave()
      }
    }
    workers.wait()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    guard failures.load(ordering: .relaxed) == 0 else {
      throw BenchmarkFailure("\(app.program) did not exit with 0 in the bare loop.")
    }
    return seconds
  }

  private func launch(_ index: Int) throws -> Int32 {
    switch manner {
    case .atOnce:
      let input = Array(requests.joined())
      return try converse(app) { process in process.write(input) }
    case .inTurns:
      let own = "\(folder)/launch\(index)"
      var app = app
      for (key, name) in Self.ownFolders {
        app.environment[key] = "\(own)-\(name)"
        mkdir("\(own)-\(name)", 0o700)
      }
      defer { for (_, name) in Self.ownFolders { FolderContents.remove("\(own)-\(name)") } }
      return try converse(app) { process in
        for request in requests {
          process.write(request)
          process.readLine()
        }
      }
    }
  }

  private static let ownFolders = [
    (LaunchEnvironment.sharedDirectory, "shared"), ("HOME", "home"), ("TMPDIR", "tmp"),
  ]

  /// - Returns: the status that the app ended with.
  private func converse(_ app: ChildProcess, _ talk: (Conversation) -> Void) throws -> Int32 {
    let process = try Conversation(app)
    talk(process)
    return process.end()
  }
}

/// A running app with its pipes.
private struct Conversation {
  private let pid: pid_t
  private let input: Int32
  private let output: Int32
  private let error: Int32

  init(_ app: ChildProcess) throws {
    var pipes = [[Int32]](repeating: [-1, -1], count: 3)
    for index in pipes.indices { _ = csupervision_pipe(&pipes[index]) }
    pid = try app.start(input: pipes[0][0], output: pipes[1][1], error: pipes[2][1])
    for descriptor in [pipes[0][0], pipes[1][1], pipes[2][1]] { close(descriptor) }
    (input, output, error) = (pipes[0][1], pipes[1][0], pipes[2][0])
  }

  func write(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { Foundation.write(input, $0.baseAddress, $0.count) }
  }

  /// The app writes one line for each request, and nothing else.
  func readLine() {
    withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 1) { buffer in
      while case let count = read(output, buffer.baseAddress, buffer.count), count > 0,
        buffer[count - 1] != UInt8(ascii: "\n")
      {}
    }
  }

  func end() -> Int32 {
    close(input)
    for descriptor in [output, error] {
      drain(descriptor)
      close(descriptor)
    }
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    return status
  }

  private func drain(_ descriptor: Int32) {
    withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 1) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
  }
}
