#if canImport(Darwin)
  import Foundation

  /// What a task keeps to itself, as Foundation stores it.
  enum TaskInternals {
    static func session(of task: URLSessionTask) -> URLSession? {
      guard task.responds(to: NSSelectorFromString("session")) else { return nil }
      return task.value(forKey: "session") as? URLSession
    }

    /// An upload task shows its body as the stream of its request.
    static func uploadBody(of task: URLSessionUploadTask) -> Data? { nil }

    /// A protocol's client may be called from any thread.
    static func deliver(for task: URLSessionTask?, _ deliver: @escaping @Sendable () -> Void) {
      deliver()
    }
  }
#endif
