import Foundation
import Testing

@Suite("Nothing reaches the network")
struct NoNetworkTests {
  static let strace = "/usr/bin/strace"

  @Test(
    "the demo's whole suite runs without a single attempt to connect",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: strace), "strace is not installed here"))
  func traced() throws {
    let trace = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: trace) }
    let run = try BuiltProgram(path: Self.strace).run(
      "-f", "--seccomp-bpf", "-qq", "-e", "trace=connect,sendto,sendmsg", "-o",
      trace.path(percentEncoded: false), BuiltProgram.path(of: "scenario-run"), "--quiet",
      "Scenarios")
    #expect(run.exitCode == 0)
    #expect(run.output.contains(" passed in "))
    let calls = try String(contentsOf: trace, encoding: .utf8)
    let internet = calls.split(separator: "\n").filter { $0.contains("AF_INET") }
    // The runner's own trial of the seal, which is refused.
    let trial = /connect\(.*htons\(9\), .*127\.0\.0\.1.*ENETUNREACH/
    #expect(internet.filter { !$0.contains(trial) }.isEmpty)
    #expect(internet.count <= 1)
  }

  @Test(
    "and such an attempt would be seen",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: strace), "strace is not installed here"))
  func control() throws {
    let trace = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: trace) }
    // Port 9 of the machine itself: nobody listens there, and nothing leaves the machine.
    _ = try BuiltProgram(path: Self.strace).run(
      "-f", "--seccomp-bpf", "-qq", "-e", "trace=connect", "-o", trace.path(percentEncoded: false),
      "/bin/bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/9")
    #expect(try String(contentsOf: trace, encoding: .utf8).contains("AF_INET"))
  }
}
