import Foundation

/// A system call that failed.
package struct SystemError: Error, CustomStringConvertible {
  package var operation: String
  package var code: Int32

  package init(_ operation: String, code: Int32 = errno) {
    self.operation = operation
    self.code = code
  }

  package var reason: String { String(cString: strerror(code)) }

  package var description: String { "\(operation): \(reason)" }
}
