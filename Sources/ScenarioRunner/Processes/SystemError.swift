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

  /// What to do where nothing can run because of it.
  package var remedyAtStart: String {
    code == EMFILE || code == ENFILE
      ? "Allow more open files, with ulimit -n." : "Set TMPDIR to a folder that can be written."
  }
}
