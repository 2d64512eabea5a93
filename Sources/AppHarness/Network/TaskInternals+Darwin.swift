#if canImport(Darwin)
  import Foundation

  /// What a task keeps to itself, as Foundation stores it.
  enum TaskInternals {
    /// A protocol's client is asked about challenges; nobody else answers them.
    static let answersChallengesByItself = false

    /// The system writes what a protocol delivers into the file.
    static let servesDownloads = true

    /// The system's own HTTP alone adds cookies.
    static func mayHaveCookies(_ request: URLRequest) -> Bool { true }

    static func session(of task: URLSessionTask) -> URLSession? {
      guard task.responds(to: NSSelectorFromString("session")) else { return nil }
      return task.value(forKey: "session") as? URLSession
    }

    /// An upload task shows its body as the stream of its request.
    static func uploadBody(of task: URLSessionUploadTask) -> RequestBody { .visible }

    /// A cancellation reaches the protocol on the loading thread; the run loop of that thread is
    /// passed once.
    static func flushCancellation(of task: URLSessionTask) {}
  }
#endif
