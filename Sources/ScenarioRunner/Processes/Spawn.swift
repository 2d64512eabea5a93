import CSupervision
import Foundation

/// Starts a program.
enum Spawn {
  /// A program that was started.
  struct Started {
    var pid: pid_t
    /// Where its seal tells of attempts; -1 where it doesn't.
    var listener: Int32
  }

  static func start(
    _ plan: LaunchPlan, mark: UInt64, seal: csupervision_seal, input: Int32, output: Int32,
    error: Int32
  ) throws(SystemError) -> Started {
    var started = Started(pid: 0, listener: -1)
    let arguments = [plan.program] + plan.arguments
    let environment = plan.environment.map { "\($0.key)=\($0.value)" }.sorted()
    let code = withCStrings(arguments) { arguments in
      withCStrings(environment) { environment in
        plan.program.withCString { program in
          plan.workingDirectory.withCString { directory in
            var launch = csupervision_launch(
              program: program, arguments: arguments, environment: environment,
              directory: directory, descriptors: (input, output, error),
              has_own_group: plan.hasOwnGroup, mark: mark, seal: seal)
            return csupervision_spawn(&launch, &started.pid, &started.listener)
          }
        }
      }
    }
    guard code == 0 else { throw SystemError("start", code: code) }
    return started
  }

  private static func withCStrings<Value>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value
  ) -> Value {
    let pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("never empty: ends with nil") }
      return body(base)
    }
  }
}
