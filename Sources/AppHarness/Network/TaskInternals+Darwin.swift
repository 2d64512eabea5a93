#if canImport(Darwin)
  import Foundation
  import CoreFoundation

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

  /// Where a protocol may speak to its client: on the thread that it was started on, which runs a
  /// run loop.
  ///
  /// Unchecked: a run loop may be given blocks and be woken from any thread.
  struct LoadingThread: @unchecked Sendable {
    private let runLoop: CFRunLoop

    /// Call it in `startLoading` or `stopLoading`.
    init(of task: URLSessionTask?) {
      runLoop = CFRunLoopGetCurrent()
    }

    func perform(_ work: @escaping @Sendable () -> Void) {
      CFRunLoopPerformBlock(runLoop, CFRunLoopMode.commonModes.rawValue, work)
      CFRunLoopWakeUp(runLoop)
    }
  }

  extension URLSessionTaskDelegate {
    func askAboutRedirect(
      _ session: URLSession, _ task: URLSessionTask, _ response: HTTPURLResponse,
      _ request: URLRequest, _ decide: @escaping @Sendable (URLRequest?) -> Void
    ) {
      let asked: Void? = urlSession?(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request,
        completionHandler: decide)
      if asked == nil { decide(request) }
    }

    func askForBodyStream(
      _ session: URLSession, _ task: URLSessionTask,
      _ use: @escaping @Sendable (InputStream?) -> Void
    ) {
      let asked: Void? = urlSession?(session, task: task, needNewBodyStream: use)
      if asked == nil { use(nil) }
    }
  }
#endif
