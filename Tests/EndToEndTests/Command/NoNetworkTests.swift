import Foundation
import TestSupport
import Testing

/// A look from outside at what the seal says of itself, which would make each attempt an error.
@Suite(
  "Nothing reaches the network", .waitsForPrograms,
  .enabled(if: Strace.isInstalled, "strace is not installed here"))
struct NoNetworkTests {
  /// - Returns: what became of a program, and its attempts to reach an address of the internet.
  private func watched(
    _ program: String...
  ) throws -> (run: BuiltProgram.Outcome, attempts: [Substring]) {
    let folder = try TemporaryFolder()
    let trace = folder.path + "/trace"
    let run = try BuiltProgram(path: Strace.path).run(
      ["-f", "--seccomp-bpf", "-qq", "-e", "trace=connect,sendto,sendmsg", "-o", trace] + program)
    let calls = try String(contentsOfFile: trace, encoding: .utf8)
    return (run, calls.split(separator: "\n").filter { $0.contains("AF_INET") })
  }

  @Test("of a scenario of each screen", .enabled(if: BuiltProgram.reachesWholeApp))
  func examples() throws {
    let (run, attempts) = try watched(
      BuiltProgram.path(of: "scenario-run"), "--quiet", "Scenarios/analytics-relaunch.json",
      "Scenarios/books-search.json", "Scenarios/deal-seen.json", "Scenarios/events-offline.json",
      "Scenarios/item-retry.json", "Scenarios/links-web.json", "Scenarios/poses-feed.json",
      "Scenarios/search-cart-tap.json", "Scenarios/search-live-query.json")
    #expect(run.exitCode == 0, "\(run.output)\(run.errors)")
    // The runner's own trial of the seal, which is refused.
    let trial = /connect\(.*htons\(9\), .*127\.0\.0\.1.*ENETUNREACH/
    #expect(attempts.filter { !$0.contains(trial) }.isEmpty)
    #expect(attempts.count <= 1)
  }

  @Test("or the attempt is seen")
  func control() throws {
    // Port 9 of the machine itself: nobody listens there, and nothing leaves the machine.
    let attempts = try watched("/bin/bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/9").attempts
    #expect(!attempts.isEmpty)
  }
}

private enum Strace {
  static let path = "/usr/bin/strace"
  static let isInstalled = FileManager.default.isExecutableFile(atPath: path)
}
