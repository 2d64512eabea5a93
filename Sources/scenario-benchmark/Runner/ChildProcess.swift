import CSupervision
import Foundation

/// A program run from start to end, with what it cost.
struct ChildProcess {
  var program: String
  var arguments: [String] = []
  var environment: [String: String] = ProcessInfo.processInfo.environment
  var directory = FileManager.default.currentDirectoryPath

  struct Cost {
    var seconds: Double
    /// Of it and of all its children that it waited for.
    var processorSeconds: Double
    /// The most memory that the process had, or one of its children that it waited for.
    var peakMemoryMiB: Double
    var exitCode: Int32
  }

  /// Runs it with nobody to read it.
  ///
  /// - Parameter path: what it reads on its stdin; nothing if absent.
  func run(reading path: String = "/dev/null") throws -> Cost {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    let input = open(path, O_RDONLY | O_CLOEXEC)
    defer {
      close(null)
      close(input)
    }
    let begin = ContinuousClock.now
    let pid = try start(input: input, output: null, error: null)
    var status: Int32 = 0
    var usage = rusage()
    wait4(pid, &status, 0, &usage)
    return Cost(
      seconds: (ContinuousClock.now - begin) / .seconds(1),
      processorSeconds: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime),
      peakMemoryMiB: Measurement.mebibytes(ofPeak: usage.ru_maxrss),
      exitCode: status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F)
  }

  /// Runs it until it writes something, and interrupts it then.
  ///
  /// - Returns: how long that took.
  func secondsToFirstOutput() throws -> Double {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    var ends: [Int32] = [-1, -1]
    _ = csupervision_pipe(&ends)
    defer { close(ends[0]) }
    let begin = ContinuousClock.now
    let pid = try start(input: null, output: ends[1], error: null)
    close(ends[1])
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(ends[0], &bytes, bytes.count)
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    kill(pid, SIGTERM)
    while read(ends[0], &bytes, bytes.count) > 0 {}
    waitpid(pid, nil, 0)
    guard count > 0 else { throw BenchmarkFailure("\(program) wrote nothing.") }
    return seconds
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }

  func start(input: Int32, output: Int32, error: Int32) throws -> pid_t {
    var pid: pid_t = 0
    let words = [program] + arguments
    let variables = environment.map { "\($0.key)=\($0.value)" }
    let code = Self.withCStrings(words) { words in
      Self.withCStrings(variables) { variables in
        var launch = csupervision_launch()
        var listener: Int32 = -1
        return program.withCString { program in
          directory.withCString { directory in
            launch.program = program
            launch.arguments = UnsafePointer(words)
            launch.environment = UnsafePointer(variables)
            launch.directory = directory
            launch.descriptors = (input, output, error)
            launch.has_own_group = true
            return csupervision_spawn(&launch, &pid, &listener)
          }
        }
      }
    }
    guard code == 0 else {
      throw BenchmarkFailure("\(program) can't be started: \(String(cString: strerror(code)))")
    }
    return pid
  }

  private static func withCStrings<Value>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Value
  ) -> Value {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(&pointers)
  }
}

/// What keeps a benchmark from measuring.
struct BenchmarkFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
