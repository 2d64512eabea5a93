import TestSupport
import Testing

@Suite(
  "A daemon that an app starts at once", .waitsForPrograms,
  .enabled(if: FaultMachine.isLinux, FaultMachine.reason))
struct DaemonFaultTests {
  @Test("without a name, in a session of its own, is ended and blamed on its own app, each time")
  func nameless() throws {
    let folder = try ShellFolder([
      "daemon.json": """
      {"app": ["sh", "-c", "env -i setsid sleep 60 </dev/null >/dev/null 2>&1 & exec ./app.sh"],
       "actions": [], "expected": [{"url": "/none", "count": 0}]}
      """,
      "none.json":
        #"{"app": "./app.sh", "actions": [], "expected": [{"url": "/none", "count": 0}]}"#,
    ])
    defer { folder.remove() }
    let run = try folder.bash(
      """
      $RUN daemon.json none.json --repeat 30 --jobs 6 --junit a.xml --quiet | tail -1
      grep -c 'classname="daemon".*name="daemon' a.xml; grep -c 'type="leftBehind"' a.xml
      grep -c 'The app left a process behind, which was still there after its end: sleep' a.xml
      """)
    #expect(run.output.hasPrefix("30 passed, 30 errored in TIME 30 30 "), "\(run.output)")
    #expect(run.errors.isEmpty)
  }

  @Test("whose parents end together with the app is ended and blamed on it, each time")
  func chain() throws {
    let folder = try ShellFolder([
      "chain.json": """
      {"app": ["sh", "-c", "./app.sh; (sleep 60 </dev/null >/dev/null 2>&1 & ) & exit 0"],
       "actions": [], "expected": [{"url": "/none", "count": 0}]}
      """
    ])
    defer { folder.remove() }
    let run = try folder.bash("$RUN chain.json --repeat 40 --jobs 4 --quiet | tail -1")
    #expect(run.output.hasPrefix("40 errored in TIME"), "\(run.output)")
    #expect(run.errors.isEmpty)
  }
}
