/// What decoding may ask of the file system; injected, so that the core stays pure.
package protocol FileAccess: Sendable {
  /// - Throws: an error whose description says why the file can't be read.
  func bytes(ofFile path: String) throws -> [UInt8]
  /// What stands at a path, links followed; `nil` where there is nothing.
  func kind(of path: String) -> FileKind?
  /// The path with every link followed; `nil` where there is nothing.
  func resolved(_ path: String) -> String?
  /// The names in a folder, in no order; empty where it can't be read.
  func names(inFolder path: String) -> [String]
  /// Whether the names in a folder can be read.
  func canList(folder path: String) -> Bool
}

extension FileAccess {
  package func canList(folder path: String) -> Bool { true }
}

package enum FileKind: Sendable {
  case file, folder, other
}
