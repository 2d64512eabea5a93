import CSystem
import Foundation
import Synchronization

/// The floor of a runner: nothing but starting the same app as often, with the same bytes on its
/// stdin, by as many threads, reading what it writes until its end.
///
/// It makes no folders and no files, decodes nothing, and looks at nothing but the exit codes.
struct BareLoop {
  var app: ChildProcess
  var input: [UInt8]
  var count: Int
  var jobs: Int

  /// - Returns: seconds.
  func run() throws -> Double {
    let next = Atomic<Int>(0)
    let failures = Atomic<Int>(0)
    let workers = DispatchGroup()
    let start = ContinuousClock.now
    for _ in 0..<min(jobs, count) {
      workers.enter()
      Thread.detachNewThread {
        while next.wrappingAdd(1, ordering: .relaxed).oldValue < count {
          if (try? runApp()) != 0 { failures.wrappingAdd(1, ordering: .relaxed) }
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

  private func runApp() throws -> Int32 {
    var pipes = [[Int32]](repeating: [-1, -1], count: 3)
    for index in pipes.indices { _ = csystem_pipe(&pipes[index]) }
    let pid = try app.start(input: pipes[0][0], output: pipes[1][1], error: pipes[2][1])
    for descriptor in [pipes[0][0], pipes[1][1], pipes[2][1]] { close(descriptor) }
    _ = input.withUnsafeBytes { write(pipes[0][1], $0.baseAddress, $0.count) }
    close(pipes[0][1])
    for descriptor in [pipes[1][0], pipes[2][0]] {
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
