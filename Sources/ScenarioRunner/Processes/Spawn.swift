import CSystem
import Foundation

/// Starts a program.
enum Spawn {
  static func start(
    _ plan: LaunchPlan, mark: UInt64, input: Int32, output: Int32, error: Int32
  ) throws(SystemError) -> pid_t {
    var pid: pid_t = 0
    let arguments = [plan.program] + plan.arguments
    let environment = plan.environment.map { "\($0.key)=\($0.value)" }.sorted()
    let code = withCStrings(arguments) { arguments in
      withCStrings(environment) { environment in
        csystem_spawn(
          &pid, plan.program, arguments, environment, plan.workingDirectory, input, output, error,
          plan.hasOwnGroup, mark)
      }
    }
    guard code == 0 else { throw SystemError("start", code: code) }
    return pid
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
