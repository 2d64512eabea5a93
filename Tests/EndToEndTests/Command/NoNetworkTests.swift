import Foundation
import Testing

@Suite("Nothing reaches the network")
struct NoNetworkTests {
  static let strace = "/usr/bin/strace"

  /// Runs the whole suite of the demo, watched where strace is here.
  ///
  /// - Returns: the attempts to reach an address of the internet, as strace writes them.
  static func runSuite() throws -> (run: BuiltProgram.Outcome, attempts: [Substring]) {
    guard FileManager.default.isExecutableFile(atPath: strace) else {
      return (try BuiltProgram("scenario-run").run("--quiet", "Scenarios"), [])
    }
    let trace = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: trace) }
    let run = try BuiltProgram(path: strace).run(
      "-f", "--seccomp-bpf", "-qq", "-e", "trace=connect,sendto,sendmsg", "-o",
      trace.path(percentEncoded: false), BuiltProgram.path(of: "scenario-run"), "--quiet",
      "Scenarios")
    let calls = try String(contentsOf: trace, encoding: .utf8)
    return (run, calls.split(separator: "\n").filter { $0.contains("AF_INET") })
  }

  @Test(
    "or the attempt is seen",
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
