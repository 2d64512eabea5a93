import Foundation

/// Why a file isn't read.
package enum FileFault: Error, Sendable, Equatable, CustomStringConvertible {
  case missing
  case folder
  /// A pipe, a device or a socket.
  case special
  /// Only what lies in the project's folder may be named by a file.
  case outside(project: String)
  case foreign(owner: UInt32)
  case tooLarge(limitBytes: Int)
  /// With the system's error number.
  case unreadable(Int32)

  /// What follows "can't be read:".
  package var description: String {
    switch self {
    case .missing: Self.reason(ENOENT)
    case .folder: Self.reason(EISDIR)
    case .special: "it is a pipe, a device or a socket. Only a regular file can be read"
    case .outside(let project):
      "it leads out of the project \"\(project)\". Put the file itself into that folder, or move "
        + "\(Configuration.fileName), which marks the project, in a folder above"
    case .foreign(let owner):
      "it belongs to another user, with the ID \(owner). Only your own files and those of root are "
        + "read"
    case .tooLarge(let limit): "it is larger than \(limit >> 20) MiB, which is the limit"
    case .unreadable(let code): Self.reason(code)
    }
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
