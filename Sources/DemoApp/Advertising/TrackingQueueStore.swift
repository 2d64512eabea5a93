import Foundation

/// Keeps tracking URLs that wait for a network, also when the app ends.
@MainActor package protocol TrackingQueueStore {
  func load() -> [URL]
  func save(_ urls: [URL])
}

/// Keeps them in a file.
@MainActor package struct FileTrackingQueueStore: TrackingQueueStore {
  private let file: URL

  /// - Parameter folder: created where it is missing.
  package init(folder: URL) {
    file = folder.appending(path: "tracking-queue.json")
  }

  package func load() -> [URL] {
    guard let json = try? Data(contentsOf: file) else { return [] }
    return (try? JSONDecoder().decode([URL].self, from: json)) ?? []
  }

  /// A queue that can't be written is kept in memory only: tracking never stands in the user's way.
  package func save(_ urls: [URL]) {
    let folder = file.deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? JSONEncoder().encode(urls).write(to: file, options: .atomic)
  }
}
