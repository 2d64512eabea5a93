import Foundation
import JSON
import TestSupport
import Testing

@Suite(
  "A store that nobody can vouch for", .waitsForPrograms,
  .enabled(if: FaultMachine.isLinux, FaultMachine.reason))
struct StoreFaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// An action each.
    var commands: [String]
    /// How often `send` is expected.
    var count = #"{"atMost": 9}"#
    var message: String
  }

  private static let appendOnly =
    " The app must only append to the store: open it for appending, and never cut, remove or rename it"

  static let cases: [Case] = [
    Case(
      testDescription: "a stub answered where there are none",
      commands: ["record '{~url~:~https://a.example.com/~,~answer~:~stub~}'"],
      message:
        "storedRequests.jsonl:1: the request was answered by a stub, it says, but the scenario "
        + "has no stubs. Write \"default\" where no stub answered"),
    Case(
      testDescription: "an action that never was",
      commands: ["record '{~url~:~https://a.example.com/click~,~action~:3}'"],
      message:
        "storedRequests.jsonl:1: the request names action 3, which was never sent to the app."),
    Case(
      testDescription: "an action that came only later",
      commands: ["record '{~url~:~https://a.example.com/click~,~action~:2}'", "true"],
      message:
        "storedRequests.jsonl:1: the request names action 2, but was recorded while action 1 was "
        + "running. \"action\" is the \"id\" of the action that was running when the request was made"
    ),
    Case(
      testDescription: "a relative URL", commands: ["record /click"], count: "0",
      message:
        "storedRequests.jsonl:1: the URL isn't absolute. Record it whole, with its scheme, as in "
        + "https://ad.example.com/click: /click"),
    Case(
      testDescription: "the end of a request that never was",
      commands: ["record '{~ends~:1,~status~:200}'"],
      message: "storedRequests.jsonl:1: request 1 of this file can't end here: it wasn't recorded "
        + "before, or has ended already"),
    Case(
      testDescription: "emptied", commands: ["send", ": > $store"],
      message: "storedRequests.jsonl: the file shrank from 28 to 0 bytes." + appendOnly),
    Case(
      testDescription: "emptied before each request",
      commands: ["> $store; send", "> $store; send"],
      count: "1",
      message:
        "storedRequests.jsonl: the file was written without being appended to, so earlier requests may be "
        + "lost." + appendOnly + " in action 2, perform run"),
    Case(
      testDescription: "written anew, longer",
      commands: ["record https://b.example.com/", "> $store; send"],
      message: "storedRequests.jsonl: the file was written without being appended to"),
    Case(
      testDescription: "removed", commands: ["send", "rm $store"],
      message: "storedRequests.jsonl: the file was there after an earlier action and is gone."
        + appendOnly),
    Case(
      testDescription: "removed in the last moment", commands: ["send", "trap 'rm $store' EXIT"],
      message: "storedRequests.jsonl: the file was there after an earlier action and is gone."),
    Case(
      testDescription: "renamed", commands: ["send", "mv $store storedRequests.7.jsonl"],
      message: "storedRequests.jsonl: the file was there after an earlier action and is gone."),
    Case(
      testDescription: "replaced", commands: ["send", "rm $store; send"],
      message: "storedRequests.jsonl: another file has taken the place of this one." + appendOnly),
    Case(
      testDescription: "the folder replaced by a link",
      commands: ["mv $PWD ../aside; ln -s aside $PWD"],
      message:
        "FOLDER/tmp/RUN/N-shared: the shared folder was replaced by a link or another folder. "
        + "The app must leave it alone"),
    Case(
      testDescription: "the folder renamed", commands: ["mv $PWD ../aside"],
      message: "FOLDER/tmp/RUN/N-shared: the shared folder was removed or renamed."),
    Case(
      testDescription: "a misnamed file beside it",
      commands: ["send", "store=storedRequest.jsonl; send"],
      message: "storedRequest.jsonl: this file doesn't belong in the shared folder. Requests are "
        + "recorded in storedRequests.jsonl or storedRequests.<pid>.jsonl; keep other files in TMPDIR"
    ),
    Case(
      testDescription: "a folder in it", commands: ["mkdir storedRequests.7.jsonl"],
      message: "storedRequests.7.jsonl: this isn't a regular file."),
  ]

  @Test("makes the scenario errored, with what happened and what to do")
  func store() throws {
    let results = try Self.results(of: Self.cases.map { ($0.commands, $0.count) })
    try #require(results.count == Self.cases.count)
    for (example, result) in zip(Self.cases, results) {
      let words = ["message", "trace"].compactMap { result[$0]?.string }.joined(separator: " ")
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        .replacing(/[0-9]+-shared/, with: "N-shared")
      #expect(result["rawStatus"] == "errored", "\(example.testDescription)")
      #expect(words.contains(example.message), "\(example.testDescription): \(words)")
    }
  }

  @Test("isn't one that only grows")
  func soundStore() throws {
    let commands = [
      ["send", "send"], ["touch $store", "touch $store; send", "touch $store", "send"],
      ["send", "store=storedRequests.7.jsonl; send"],
      ["send; record '{~ends~:1,~error~:~timedOut~}'", "send"],
      [
        "record '{~url~:~https://a.example.com/click~,~action~:1}'",
        "record '{~url~:~https://a.example.com/click~,~action~:2}'",
      ],
      ["true", "record '{~url~:~https://a.example.com/click~,~action~:1}'; send"],
    ]
    let results = try Self.results(of: commands.map { ($0, "2") })
    #expect(results.map { $0["status"] } == commands.map { _ in "passed" }, "\(results)")
  }

  /// Runs a scenario for each list of commands.
  ///
  /// - Returns: the tests of a CTRF report.
  private static func results(
    of scenarios: [(commands: [String], count: String)]
  ) throws -> [JSONValue] {
    var files = [CommandApp.name: CommandApp.text]
    for (index, scenario) in scenarios.enumerated() {
      files["\(100 + index).json"] = CommandApp.scenario(scenario.commands, count: scenario.count)
    }
    let folder = try ShellFolder(files)
    defer { folder.remove() }
    let run = try folder.bash("$RUN . --quiet --ctrf report >&2; cat report")
    return try JSONValue(parsing: run.output.utf8)["results"]?["tests"]?.array ?? []
  }

  private static func run(
    _ commands: [String], count: String, before: String = ""
  ) throws -> BuiltProgram.Outcome {
    let folder = try ShellFolder([
      "a.json": CommandApp.scenario(commands, count: count), CommandApp.name: CommandApp.text,
      "fault.c": fault,
    ])
    defer { folder.remove() }
    return try folder.bash(before + "$RUN a.json")
  }

  /// A library before the system's, which fails once in its place: `readdir` in a shared folder, after
  /// the first name, or `write` into a store.
  private static let fault = """
    #define _GNU_SOURCE
    #include <dirent.h>
    #include <dlfcn.h>
    #include <errno.h>
    #include <stdio.h>
    #include <string.h>
    #include <sys/types.h>
    #include <unistd.h>
    static int leads(int file, const char *text) {
      char link[64], path[4096];
      snprintf(link, sizeof link, "/proc/self/fd/%d", file);
      ssize_t count = readlink(link, path, sizeof path - 1);
      if (count < 0) return 0;
      path[count] = 0;
      return strstr(path, text) != NULL;
    }
    #ifdef READING
    struct dirent *readdir(DIR *folder) {
      if (leads(dirfd(folder), "-shared")) { errno = EIO; return NULL; }
      return ((struct dirent *(*)(DIR *))dlsym(RTLD_NEXT, "readdir"))(folder);
    }
    #else
    ssize_t write(int file, const void *bytes, size_t count) {
      static int has_failed;
      if (!has_failed && leads(file, "storedRequests")) {
        has_failed = 1;
        errno = ENOSPC;
        return -1;
      }
      return ((ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write"))(file, bytes, count);
    }
    #endif
    """

  private static let compile = "cc -shared -fPIC -ldl -o fault.so fault.c "

  private static let hasCompiler: Bool = {
    let folder = try? ShellFolder(["fault.c": fault])
    defer { folder?.remove() }
    return (try? folder?.bash(compile).exitCode) == 0
  }()

  @Test(
    "is one whose folder can't be listed", .enabled(if: hasCompiler, "there is no C compiler here"))
  func unreadableFolder() throws {
    let run = try Self.run(
      ["send"], count: #"{"atMost": 9}"#,
      before: Self.compile + "-DREADING && LD_PRELOAD=$PWD/fault.so ")
    #expect(run.exitCode == 1)
    #expect(
      run.output.contains("1-shared: this can't be read (Input/output error)"), "\(run.output)")
  }

  @Test(
    "is one that a request could not be written into, though the next ones could",
    .enabled(if: hasCompiler, "there is no C compiler here"))
  func lostRequest() throws {
    let folder = try ShellFolder(["fault.c": Self.fault])
    defer { folder.remove() }
    let run = try folder.bash(
      Self.compile + "&& LD_PRELOAD=$PWD/fault.so $RUN $PACKAGE/Scenarios/item-shown.json")
    #expect(run.exitCode == 1)
    #expect(run.output.contains("A request could not be recorded: The store"), "\(run.output)")
    #expect(
      run.output.contains(
        "can't be written: No space left on device. Make room there, or set TMPDIR of scenario-run to a "
          + "folder of another disk."), "\(run.output)")
  }

  /// An expression that takes as long as it may on each of the requests.
  private static let endless = #"""
    {"app": "./\#(CommandApp.name)", "timeout": 3, "actions": [{"perform": "run", "with": {"command":
      "exec 9>$OLDPWD/alive; record '{~url~:~https://a.example.com/x~,~method~:~PUT~,~body~:~aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!~}'; read -r l < $store; i=0; while [ $i -lt 400 ]; do echo $l >> $store; i=$((i+1)); done"
    }}], "expected": [{"method": "PUT", "bodyPatterns": [{"matches": "(a+)+"}], "count": 401}]}
    """#

  @Test(
    "isn't read for ever: judging ends with the timeout, and where it is interrupted",
    arguments: [
      ("$RUN a.json", 1, "could not be judged within the scenario's timeout of 3 s"),
      (
        // The app holds the pipe open for as long as it lives: then judging begins.
        "mkfifo alive; set -m; $RUN a.json --timeout 600 & cat alive; kill -INT $!; wait $!", 130,
        "The run was interrupted by SIGINT"
      ),
    ])
  func endlessJudgement(command: String, code: Int32, message: String) throws {
    let folder = try ShellFolder(["a.json": Self.endless, CommandApp.name: CommandApp.text])
    defer { folder.remove() }
    let run = try folder.bash(command + "; exit $?")
    #expect(run.output.contains(message), "\(run.output)")
    #expect(run.output.contains("1 errored"), "\(run.output)")
    #expect(run.exitCode == code)
  }
}
