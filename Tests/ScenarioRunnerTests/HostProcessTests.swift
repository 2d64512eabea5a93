#if os(Linux)
  import CSupervision
  import Foundation
  import TestSupport
  import Testing

  @testable import ScenarioRunner

  @Suite("A process that runs scenarios and starts other programs as well", .waitsForPrograms)
  struct HostProcessTests {
    @Test("keeps them: none is taken for one that an app started")
    func others() async throws {
      let suite = try Suite()
      let paths = try (0..<30).map { try suite.scenario(["none", "\($0)"]) }
      async let verdicts = Self.onThread { try suite.run(paths).map(\.verdict) }
      async let others = Self.onThread { try (0..<150).map { _ in try Self.runOther() } }
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
    private static func runOther() throws -> (mark: UInt64, exit: csupervision_exit) {
      let pipe = try ScenarioRunner.Pipe()
      let plan = LaunchPlan(
        program: "/bin/cat", arguments: [], environment: [:], workingDirectory: "/", marker: "",
        hasOwnGroup: false)
      let pid = try Spawn.start(
        plan, mark: 0, seal: CSUPERVISION_SEAL_NONE, input: pipe.reading.number,
        output: STDERR_FILENO, error: STDERR_FILENO
      ).pid
      let mark = csupervision_mark_of_process(pid)
      _ = consume pipe
      var ended = csupervision_exit()
      csupervision_wait_without_reaping(pid, &ended)
      _ = csupervision_reap(pid)
      return (mark, ended)
    }
  }
#endif
