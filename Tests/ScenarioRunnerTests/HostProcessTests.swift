#if os(Linux)
  import CSystem
  import Foundation
  import Testing

  @testable import ScenarioRunner

  @Suite("A process that runs scenarios and starts other programs as well")
  struct HostProcessTests {
    @Test("keeps them: none is taken for one that an app started")
    func others() async throws {
      let suite = try Suite()
      let paths = try (0..<60).map { try suite.scenario(["none", "\($0)"]) }
      async let verdicts = Self.onThread { try suite.run(paths).map(\.verdict) }
      async let others = Self.onThread { try (0..<300).map { _ in try Self.runOther() } }
      #expect(try await verdicts.allSatisfy { $0 == .passed })
      #expect(try await others.allSatisfy { $0.mark >> 32 != getpid() })
      #expect(try await others.allSatisfy { $0.exit.code == 0 && !$0.exit.signaled })
    }

    /// Neither may block the threads of Swift concurrency.
    private static func onThread<Value: Sendable>(
      _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
      }
    }

    /// Starts a program that waits for the end of its stdin, and ends it.
    private static func runOther() throws -> (mark: UInt64, exit: csystem_exit) {
      var pid: pid_t = 0
      let pipe = try ScenarioRunner.Pipe()
      let program = "/bin/cat"
      let code = program.withCString { path in
        var words: [UnsafeMutablePointer<CChar>?] = [UnsafeMutablePointer(mutating: path), nil]
        var none: [UnsafeMutablePointer<CChar>?] = [nil]
        return csystem_spawn(
          &pid, path, &words, &none, "/", pipe.reading.number, STDERR_FILENO, STDERR_FILENO, false,
          0)
      }
      guard code == 0 else { throw SystemError("start", code: code) }
      let mark = csystem_mark_of_process(pid)
      _ = consume pipe
      var ended = csystem_exit()
      csystem_wait_without_reaping(pid, &ended)
      _ = csystem_reap(pid)
      return (mark, ended)
    }
  }
#endif
