/// Why a file is no XML that can be read.
package struct MarkupFault: Error, Equatable, CustomStringConvertible {
  /// From 1.
  package var line: Int
  package var reason: String

  package var description: String { "line \(line): \(reason)" }
}
