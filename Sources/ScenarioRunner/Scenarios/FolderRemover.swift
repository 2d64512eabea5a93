import Dispatch
import Synchronization

/// Removes folders while the next scenarios run: a disk takes longer for it than many an app for its
/// actions.
final class FolderRemover: Sendable {
  /// So many wait at most, so that what they hold does not fill the disk.
  private static let limit = 16

  private let queue = DispatchQueue(label: "scenario-run.folders", qos: .utility)
  private let waiting = Atomic<Int>(0)

  /// Removes a folder that nobody uses any more, at once or soon.
  func remove(_ path: String) {
    let (_, count) = waiting.wrappingAdd(1, ordering: .relaxed)
    let removeNow: @Sendable () -> Void = { [self] in
      FolderContents.remove(path)
      waiting.wrappingSubtract(1, ordering: .relaxed)
    }
    if count > Self.limit { removeNow() } else { queue.async(execute: removeNow) }
  }

  /// Waits until nothing is left to remove.
  func finish() { queue.sync {} }
}
