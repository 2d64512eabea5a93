import Foundation

/// Keeps a value from one launch to the next, in a file of the app's own folder.
struct KeptFile<Value: Codable> {
  private let file: URL

  /// - Parameter folder: created where it is missing.
  init(_ name: String, in folder: URL) {
    file = folder.appending(path: name)
  }

  /// - Returns: `nil` where nothing has been kept, or it can't be read any more.
  func load() -> Value? {
    guard let json = try? Data(contentsOf: file) else { return nil }
    return try? JSONDecoder().decode(Value.self, from: json)
  }

  /// What can't be written is kept in memory only: tracking never stands in the user's way.
  func save(_ value: Value) {
    let folder = file.deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? JSONEncoder().encode(value).write(to: file, options: .atomic)
  }
}
