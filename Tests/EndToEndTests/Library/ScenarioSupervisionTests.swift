import CSupervision
import Foundation
import ScenarioTesting
import TestSupport
import Testing

@Suite("Apps in a process that has other work", .waitsForPrograms)
struct ScenarioSupervisionTests {
  @Test("end when the task of their case is cancelled")
  func cancellation() async throws {
    let folder = try FileFolder([:])
    defer { folder.remove() }
    let scenario = try Self.waiting(in: folder)
    let task = Task { try await scenario.run() }
    let pid = try #require(Int32(await Self.firstLine(of: folder.path + "/started")))
    #expect(kill(pid, 0) == 0)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(kill(pid, 0) == -1)
  }

  @Test("wait for a core without holding up other tasks, and can be cancelled there")
  func waiting() async throws {
    let folder = try FileFolder([:])
    defer { folder.remove() }
    let scenario = try Self.waiting(in: folder, more: #", "jobs": 1"#)
    let tasks = (1...100).map { _ in Task { try await scenario.run() } }
    _ = try await Self.firstLine(of: folder.path + "/started")
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test("are at most so many at a time as the configuration says")
  func limit() async throws {
    let folder = try FileFolder([
      ".scenario-run.json": #"{"app": "./alone.sh", "jobs": 1}"#,
      "alone.sh": "#!/bin/sh\nmkdir busy || echo >>overlaps\nls >/dev/null\nrmdir busy; exit 7",
      "a.json":
        #"{"actions": [], "expected": [{"url": "/none", "count": 0}], "cases": [{}, {}, {}, {}, {}, {}]}"#,
    ])
    defer { folder.remove() }
    chmod(folder.path + "/alone.sh", 0o755)
    let cases = try ScenarioSuite(folder: folder.path).cases
    #expect(cases.count == 6)
    await withTaskGroup { group in
      for scenario in cases {
        group.addTask {
          _ = await #expect(throws: ScenarioFailure.self) { try await scenario.run() }
        }
      }
    }
    #expect(!folder.has("overlaps"))
    #expect(!folder.has("busy"))
  }

  #if os(Linux)
    @Test("leave the other children of the process alone, and its orphans")
    func otherChildren() async throws {
      let (folder, leaving) = (try FileFolder([:]), try FileFolder([:]))
      defer {
        folder.remove()
        leaving.remove()
      }
      try leaving.write(
        #"{"app": ["faulty-app", "leaveDaemon"], "actions": [{"tap": "b"}], "expected": []}"#,
        to: "a.json")
      // While an app runs, this process gets the orphans of its own children.
      let waiting = try Self.waiting(in: folder)
      let task = Task { try await waiting.run() }
      _ = try await Self.firstLine(of: folder.path + "/started")
      let child = try Self.start("exec sleep 1000", in: folder)
      let parent = try Self.start("setsid sleep 1000 & echo $! >orphan", in: folder)
      #expect(Self.end(of: parent) == 0)
      let orphan = try #require(Int32(try folder.text("orphan").dropLast()))
      let scenario = try #require(try ScenarioSuite(folder: leaving.path).cases.first)
      let failure = await #expect(throws: ScenarioFailure.self) { try await scenario.run() }
      #expect(failure?.description.contains("sleep (process ") == true)
      task.cancel()
      _ = await task.result
      for pid in [orphan, child] {
        #expect(kill(pid, SIGKILL) == 0)
        // Reaped by this process alone, whose child the orphan had become.
        #expect(Self.end(of: pid) == SIGKILL)
      }
    }
  #endif

  /// A case whose app tells its id through a named pipe, and never answers.
  private static func waiting(in folder: FileFolder, more: String = "") throws -> ScenarioCase {
    try folder.write(#"{"app": "./wait.sh", "timeout": 600\#(more)}"#, to: ".scenario-run.json")
    try folder.write("#!/bin/sh\necho $$ >started\nexec sleep 1000", to: "wait.sh")
    try folder.write(#"{"actions": [], "expected": [{"url": "/none", "count": 0}]}"#, to: "a.json")
    chmod(folder.path + "/wait.sh", 0o755)
    mkfifo(folder.path + "/started", 0o600)
    return try #require(try ScenarioSuite(folder: folder.path + "/a.json").cases.first)
  }

  #if os(Linux)
    /// Not by `Process`, which waits for grandchildren too.
    private static func start(_ script: String, in folder: FileFolder) throws -> Int32 {
      let words: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/sh"), strdup("-c"), strdup(script)]
      let environment = [strdup("PATH=/usr/bin:/bin")]
      defer { for word in words + environment { free(word) } }
      let null = open("/dev/null", O_RDWR | O_CLOEXEC)
      defer { close(null) }
      var (pid, listener): (Int32, Int32) = (0, -1)
      let code = (words + [nil]).withUnsafeBufferPointer { words in
        (environment + [nil]).withUnsafeBufferPointer { environment in
          folder.path.withCString { directory in
            var launch = csupervision_launch()
            launch.program = UnsafePointer(words[0])
            launch.arguments = words.baseAddress
            launch.environment = environment.baseAddress
            launch.directory = directory
            launch.descriptors = (null, null, null)
            launch.has_own_group = true
            return csupervision_spawn(&launch, &pid, &listener)
          }
        }
      }
      try #require(code == 0)
      return pid
    }

    /// Reaps it; its status is the signal or, for an exit with 0, 0.
    private static func end(of pid: Int32) -> Int32 {
      var status: Int32 = 0
      return waitpid(pid, &status, 0) == pid ? status : -1
    }
  #endif

  /// Of a named pipe, once somebody writes it.
  private static func firstLine(of pipe: String) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let bytes = try FileHandle(forReadingFrom: URL(filePath: pipe)).readToEnd() ?? Data()
            return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
          })
      }
    }
  }
}
