import TestSupport
import Testing

@Suite(
  "Where the system refuses a seal", .waitsForPrograms,
  .enabled(if: FaultMachine.isLinux, FaultMachine.reason))
struct SealFaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// What `launch-without` takes away.
    var refused: String
    var line: String
    /// What the child that tries to leave ends with.
    var verdict: String

    var testDescription: String { "without \(refused)" }
  }

  static let cases = [
    Case(refused: "namespaces", line: "", verdict: "1 errored in TIME"),
    Case(
      refused: "filters",
      line: "network: sealed by a namespace alone; what leaves the apps is refused, but nobody is "
        + "told, because the system refuses a seccomp filter with a listener ",
      verdict: "1 passed in TIME"),
    Case(
      refused: "both",
      line: "network: NOT sealed, because the system refuses seccomp filters and network "
        + "namespaces; only what the kit intercepts is kept from it ",
      verdict: "1 passed in TIME"),
  ]

  @Test("the next one holds, and the first line says so", arguments: cases)
  func refused(_ refused: Case) throws {
    let folder = try ShellFolder([
      "a.json":
        #"{"app": "./app.sh", "actions": [], "expected": [{"url": "/none", "count": 0}]}"#,
      "out.json":
        #"{"app": ["sh", "-c", "curl -sS http://127.0.0.1:1/ >&2; exec ./app.sh"], "#
        + #""actions": [], "expected": [{"url": "/none", "count": 0}]}"#,
    ])
    defer { folder.remove() }
    let quiet = try folder.bash("$WITHOUT \(refused.refused) $RUN a.json --quiet")
    #expect(quiet.output.hasPrefix(refused.line + "1 passed in TIME"), "\(quiet.output)")
    let run = try folder.bash("$WITHOUT \(refused.refused) $RUN out.json --quiet | tail -1")
    #expect(run.output.hasPrefix(refused.verdict), "\(run.output)")
  }

  @Test("every report says which holds")
  func reports() throws {
    let scenario =
      #"{"app": "./app.sh", "actions": [], "expected": [{"url": "/none", "count": 0}]}"#
    let folder = try ShellFolder(["a.json": scenario])
    defer { folder.remove() }
    let run = try folder.bash(
      """
      $WITHOUT filters $RUN a.json --quiet --html a.html --ctrf a.ctrf --events a.events >/dev/null
      grep -c '<dd>sealed by a namespace alone' a.html
      grep -c '"networkSeal":"namespace"' a.ctrf; grep -c '"networkSeal":"namespace"' a.events
      $RUN a.json --verbose | head -1
      """)
    #expect(run.output.hasPrefix("1 1 1 network: sealed; what leaves the apps"), "\(run.output)")
  }

  @Test("many launches at a time leave no descriptor behind")
  func descriptors() throws {
    let folder = try ShellFolder([
      "a.json":
        #"{"app": "./app.sh", "actions": [], "expected": [{"url": "/none", "count": 0}]}"#
    ])
    defer { folder.remove() }
    // One for each launch would be too many long before the end.
    let run = try folder.bash("ulimit -n 200; $RUN a.json --repeat 160 --jobs 16 --quiet")
    #expect(run.output.hasPrefix("160 passed in TIME"), "\(run.output) \(run.errors)")
  }
}
