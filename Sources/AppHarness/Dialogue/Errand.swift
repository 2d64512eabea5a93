import Dispatch
import Synchronization

/// Work of the main actor that the dialogue's thread waits for, and what it is asked for meanwhile.
final class Errand<Value: Sendable>: Sendable {
  enum Message: Sendable {
    /// The main actor waits for the app to be idle, which only the dialogue's thread can find out.
    case settle(CheckedContinuation<Void, any Error>)
    case done(Result<Value, any Error>)
  }

  private let messages = Mutex<[Message]>([])
  private let count = DispatchSemaphore(value: 0)

  /// Starts the work.
  init(_ work: @escaping @MainActor @Sendable (Errand) async throws -> Value) {
    Task { @MainActor in
      do { post(.done(.success(try await work(self)))) } catch { post(.done(.failure(error))) }
    }
  }

  /// Waits on the main actor until the app is idle.
  func settle() async throws {
    try await withCheckedThrowingContinuation { post(.settle($0)) }
  }

  /// Blocks the dialogue's thread until there is a message, or the deadline.
  func next(before deadline: DispatchTime) -> Message? {
    guard count.wait(before: deadline) else { return nil }
    return messages.withLock { $0.removeFirst() }
  }

  private func post(_ message: Message) {
    messages.withLock { $0.append(message) }
    count.signal()
  }
}
