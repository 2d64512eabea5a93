#if canImport(Darwin)
  import Foundation

  extension CompletionWatch {
    /// The session, which a task keeps to itself: Foundation stores it under the key `session`.
    static func session(of task: URLSessionTask) -> URLSession? {
      guard task.responds(to: NSSelectorFromString("session")) else { return nil }
      return task.value(forKey: "session") as? URLSession
    }
  }
#endif
