import CSupervision
import Foundation

/// A program of this package, run from start to end with nobody to read it.
struct ChildProcess: Sendable {
  var arguments: [String]
  var environment = ProcessInfo.processInfo.environment
  /// The file that it reads on its stdin.
  var input = "/dev/null"
  private let program: String

  /// - Throws: where it hasn't been built.
  init(_ name: String, _ arguments: [String]) throws {
    program = try Self.path(of: name)
    self.arguments = arguments
  }

  /// Where a program was built: beside this one.
  static func path(of name: String) throws -> String {
    let own = URL(filePath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    let path = own.resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name)
      .path(percentEncoded: false)
    guard access(path, X_OK) == 0 else {
      throw BenchmarkFailure("\(path) is not there: build all with swift build -c release.")
    }
    return path
  }

  struct Cost {
    var seconds: Double
    /// Of it and of all its children that it waited for.
    var processorSeconds: Double
    /// The most memory that the process had, or one of its children that it waited for.
    var peakMemoryMiB: Double
  }

  /// - Throws: where it ends with anything but 0.
  func run() throws -> Cost {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    let input = open(input, O_RDONLY | O_CLOEXEC)
    defer {
      close(null)
      close(input)
    }
    var (status, usage, pid) = (Int32(0), rusage(), pid_t(0))
    let seconds = try Measurement.seconds {
      pid = try start(input: input, output: null)
      wait4(pid, &status, 0, &usage)
    }
    guard status == 0 else { throw BenchmarkFailure("\(program) ended with the status \(status).") }
    #if os(Linux)
      let unit = 1024.0
    #else
      let unit = 1.0
    #endif
    return Cost(
      seconds: seconds,
      processorSeconds: [usage.ru_utime, usage.ru_stime].reduce(0) {
        $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
      }, peakMemoryMiB: Double(usage.ru_maxrss) * unit / 1_048_576)
  }

  private func start(input: Int32, output: Int32) throws -> pid_t {
    var arguments = ([program] + arguments).map { strdup($0) } + [nil]
    var environment = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in arguments + environment { free(pointer) } }
    var (pid, listener) = (pid_t(0), Int32(-1))
    let code = arguments.withUnsafeMutableBufferPointer { arguments in
      environment.withUnsafeMutableBufferPointer { environment in
        "/".withCString { folder in
          var launch = csupervision_launch()
          launch.program = UnsafePointer(arguments[0])
          launch.arguments = UnsafePointer(arguments.baseAddress)
          launch.environment = UnsafePointer(environment.baseAddress)
          launch.directory = folder
          launch.descriptors = (input, output, output)
          launch.has_own_group = true
          return csupervision_spawn(&launch, &pid, &listener)
        }
      }
    }
    guard code == 0 else {
      throw BenchmarkFailure("\(program) can't be started: \(String(cString: strerror(code))).")
    }
    return pid
  }
}
