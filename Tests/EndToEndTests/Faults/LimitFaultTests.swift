import Foundation
import TestSupport
import Testing

@Suite(
  "Very many, very large, and clocks that jump", .waitsForPrograms,
  .enabled(if: FaultMachine.isLinux, FaultMachine.reason))
struct LimitFaultTests {
  @Test("100 scenarios run within 48 descriptors")
  func descriptors() throws {
    var files = [".scenario-run.json": #"{"app": "./app.sh"}"#]
    for number in 1...100 {
      files["S/\(number).json"] = #"{"actions": [], "expected": [{"url": "/none", "count": 0}]}"#
    }
    let folder = try ShellFolder(files)
    defer { folder.remove() }
    let run = try folder.bash(
      "ulimit -n 48; $RUN S --jobs 2 --quiet --junit a.xml; status=$?; grep -c '<testcase' a.xml; exit $status"
    )
    #expect(run.exitCode == 0)
    #expect(run.output == "100 passed in TIME 100 ")
    #expect(run.errors.isEmpty)
  }

  /// Makes 128 lines of 1 MiB in a file.
  private static let million = #"""
    #!/bin/sh
    line() { printf '{"url":"https://a.example.com/","body":"'; head -c 1048500 /dev/zero | tr '\0' x
      printf '"}\n'; }
    line > "$TMPDIR/1"; number=0
    while [ $number -lt 128 ]; do cat "$TMPDIR/1"; number=$((number+1)); done \
      > "$SIMULATOR_SHARED_RESOURCES_DIRECTORY/storedRequests.jsonl"
    rm "$TMPDIR/1"; exec ./app.sh
    """#

  @Test("a store of 128 MiB is read in less memory than that")
  func largeStore() throws {
    let folder = try ShellFolder([
      "large.sh": Self.million,
      "a.json": """
      {"app": "./large.sh", "actions": [],
       "expected": [{"url": "https://a.example.com/", "count": 128}]}
      """,
    ])
    defer { folder.remove() }
    // All that can be written, stacks included.
    let run = try folder.bash("ulimit -d 110000; $RUN a.json --timeout 120")
    #expect(run.exitCode == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("1 passed in TIME"))
  }

  @Test("a capture of 128 MiB is read in less memory than that, and its fault has its place")
  func largeCapture() throws {
    func scenario(_ stubs: String) -> String {
      """
      {"app": "./app.sh", "stubs": "\(stubs)", "actions": [],
       "expected": [{"url": "/none", "count": 0}]}
      """
    }
    let folder = try ShellFolder([
      "whole.json": scenario("whole.har"), "cut.json": scenario("cut.har"),
      "capture.sh": #"""
      entry() {
        printf '{"request": {"method": "GET", "url": "https://a.example.com/"}, "response": '
        printf '{"status": 200, "content": {"text": "'; head -c 1048500 /dev/zero | tr '\0' x
        printf '"}}},\n'
      }
      entry > "$TMPDIR/1"; number=0
      echo '{"log": {"entries": ['
      while [ $number -lt 128 ]; do cat "$TMPDIR/1"; number=$((number+1)); done
      """#,
    ])
    defer { folder.remove() }
    // All that can be written, stacks included: 40 MiB more than the program takes don't fit in, either.
    let run = try folder.bash(
      """
      mkdir Fixtures; sh capture.sh > Fixtures/whole.har; head -41 Fixtures/whole.har > Fixtures/cut.har
      echo '{}]}}' >> Fixtures/whole.har; echo '  oops' >> Fixtures/cut.har
      ulimit -d 110000; $RUN whole.json cut.json --quiet; status=$?
      (ulimit -v 170000; $RUN validate whole.json); exit $status
      """)
    #expect(run.exitCode == 3, "\(run.output)\(run.errors)")
    #expect(run.output.contains("1 passed, 1 errored in TIME"), "\(run.output)")
    let message = "Fixtures/cut.har:42:3: error: This isn't valid JSON: "
    #expect(run.errors.contains(message), "\(run.errors)")
    let noMemory = "Fixtures/whole.har: error: The file can't be read: Cannot allocate memory."
    #expect(run.errors.contains(noMemory), "\(run.errors)")
  }

  @Test(
    "a store that is one line of 300 MiB is an error, and so is a terabyte of nothing",
    arguments: [
      (
        #"head -c 1M /dev/zero | tr '\0' a > part; yes part | head -300 | xargs cat >"#,
        "line 1 is longer than any request"
      ),
      ("truncate -s 1T", "the file was made longer without being written: from byte 0 on"),
    ])
  func longLine(make: String, message: String) throws {
    let folder = try ShellFolder([
      "large.sh": """
      #!/bin/sh
      \(make) "$SIMULATOR_SHARED_RESOURCES_DIRECTORY/storedRequests.jsonl"
      exec ./app.sh
      """,
      "a.json":
        #"{"app": "./large.sh", "actions": [], "expected": [{"url": "/none", "count": 0}]}"#,
    ])
    defer { folder.remove() }
    let run = try folder.bash("ulimit -v 1200000; $RUN a.json")
    #expect(run.exitCode == 1)
    #expect(
      run.output.contains(
        "The store of recorded requests is damaged, so nothing can be said about them: "
          + "storedRequests.jsonl: \(message)"), "\(run.output)")
  }

  /// The toolchain has one, beside `swift`.
  private static let compiler: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.flatMap { ["\($0)/clang", "\($0)/cc"] }
      .first(where: FileManager.default.isExecutableFile)
  }()

  /// Each reading of the wall clock is a day off, in one direction or the other.
  private static let jumpingClock = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <sys/time.h>
    #include <time.h>
    static long jump(void) { static long n; return (n++ & 1 ? 1 : -1) * 86400L; }
    int clock_gettime(clockid_t id, struct timespec *t) {
      static int (*real)(clockid_t, struct timespec *);
      if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
      int result = real(id, t);
      if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE) t->tv_sec += jump();
      return result;
    }
    int gettimeofday(struct timeval *restrict t, void *restrict zone) {
      struct timespec now;
      clock_gettime(CLOCK_REALTIME, &now);
      t->tv_sec = now.tv_sec; t->tv_usec = now.tv_nsec / 1000;
      return 0;
    }
    time_t time(time_t *t) {
      struct timespec now;
      clock_gettime(CLOCK_REALTIME, &now);
      if (t) *t = now.tv_sec;
      return now.tv_sec;
    }
    """

  @Test(
    "a wall clock that jumps by days changes no verdict, no timeout and no duration",
    .enabled(if: compiler != nil, "no C compiler is here"))
  func jumpingClock() throws {
    let folder = try ShellFolder([
      "clock.c": Self.jumpingClock,
      "hang.json":
        #"{"app": ["faulty-app", "hang"], "actions": [{"tap": "b"}], "expected": [], "timeout": 2}"#,
    ])
    defer { folder.remove() }
    let run = try folder.bash(
      """
      \(Self.compiler ?? "cc") -shared -fPIC -o clock.so clock.c -ldl || exit 99
      export LD_PRELOAD=$PWD/clock.so
      echo $(($(date +%s) - $(date +%s) > 80000 || $(date +%s) - $(LD_PRELOAD= date +%s) < -80000))
      $RUN $PACKAGE/Scenarios/item-re*.json $PACKAGE/Scenarios/events-timer.json --quiet --junit a.xml
      echo status $?
      $RUN hang.json --quiet
      echo status $?
      grep -o ' time="[^"]*"' a.xml | tr -dc '0-9.\\n' | sort -n | tail -1
      """)
    #expect(run.errors.isEmpty, "\(run.errors)")
    let parts = run.output.split(separator: " status ")
    #expect(parts.count == 3 && parts[0].hasPrefix("1 "), "the clock does not jump: \(run.output)")
    #expect(run.output.contains(/[0-9]+ passed in TIME status 0/), "\(run.output)")
    #expect(
      run.output.contains(#/did not answer "(initialize|tap)" within the scenario's timeout/#))
    let longest = run.output.split(separator: " ").last.flatMap { Double($0) }
    #expect((0.0...60).contains(longest ?? -1), "\(run.output)")
  }
}
