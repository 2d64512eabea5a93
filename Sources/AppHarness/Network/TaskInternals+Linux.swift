#if canImport(FoundationNetworking)
  @_spi(Reflection) import Swift
  import Dispatch
  import Foundation
  import FoundationNetworking

  /// What a task keeps to itself, as swift-corelibs-foundation stores it.
  enum TaskInternals {
    /// A challenge is answered by going to the network, past every protocol of the session: so
    /// there must be none.
    static let answersChallengesByItself = true

    /// A download ends with a file that only the system's own HTTP can name; without it, it crashes.
    static let servesDownloads = false

    /// The session has put its cookies into the request already, if only those of the host.
    static func mayHaveCookies(_ request: URLRequest) -> Bool {
      request.value(forHTTPHeaderField: "Cookie") != nil
    }

    static func session(of task: URLSessionTask) -> URLSession? {
      guard let sessionOffset else { return nil }
      let object = Unmanaged.passUnretained(task).toOpaque()
      let session = object.load(fromByteOffset: sessionOffset, as: UnsafeRawPointer?.self)
      return session.flatMap { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
        as? URLSession
    }

    /// Where a task has its session: an optional existential of a class, of which the first word is the object.
    ///
    /// `Mirror` finds the session as well, but takes half a millisecond the first time, and 8 µs each time.
    ///
    /// - Returns: `nil` where the type has no such property.
    private static let sessionOffset: Int? = {
      var offset: Int?
      // `.classType`, which is a variable.
      let options = _EachFieldOptions(rawValue: 1 << 0)
      _forEachField(of: URLSessionTask.self, options: options) { name, place, type, _ in
        guard String(cString: name) == "session" else { return true }
        let isKnown = _typeName(type) == "Swift.Optional<FoundationNetworking.URLSessionProtocol>"
        if isKnown { offset = place }
        return false
      }
      return offset
    }()

    /// The body that an upload task was given, which its request does not show.
    static func uploadBody(of task: URLSessionUploadTask) -> RequestBody {
      // An optional enumeration: `.some(.data(…))`.
      guard
        let known = value(of: task, "knownBody").flatMap({ Mirror(reflecting: $0).children.first }),
        let content = Mirror(reflecting: known.value).children.first
      else { return .delegate }
      switch content.value {
      case let bytes as DispatchData: return .data(data(bytes))
      case let file as URL: return .data(try? Data(contentsOf: file))
      case let stream as InputStream: return .stream(stream)
      default: return .visible
      }
    }

    /// Without a copy where it is in one piece, as Foundation makes it.
    private static func data(_ bytes: DispatchData) -> Data {
      var whole: UnsafeBufferPointer<UInt8>?
      bytes.enumerateBytes { piece, _, stop in
        if piece.count == bytes.count { whole = piece }
        stop = true
      }
      guard let start = whole?.baseAddress else { return Data(bytes) }
      return Data(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count,
        deallocator: .custom { _, _ in withExtendedLifetime(bytes) {} })
    }

    /// The task's serial queue, on which it starts, stops and cancels its protocol.
    static func workQueue(of task: URLSessionTask) -> DispatchQueue? {
      value(of: task, "workQueue") as? DispatchQueue
    }

    /// Waits until a `cancel()` that has been called has stopped the protocol.
    static func flushCancellation(of task: URLSessionTask) {
      // A cancellation takes two turns of the work queue, the second enqueued by the first. Reading
      // the priority is a synchronous turn.
      _ = task.priority
      _ = task.priority
    }

    private static func value(of task: URLSessionTask, _ name: String) -> Any? {
      var mirror: Mirror? = Mirror(reflecting: task)
      while let current = mirror {
        if let child = current.children.first(where: { $0.label == name }) { return child.value }
        mirror = current.superclassMirror
      }
      return nil
    }
  }

  /// Where a protocol may speak to its client: on the task's own serial queue, so that an answer and
  /// a cancellation don't cross.
  struct LoadingThread: Sendable {
    private let queue: DispatchQueue

    /// Call it in `startLoading` or `stopLoading`.
    init(of task: URLSessionTask?) {
      queue = task.flatMap(TaskInternals.workQueue) ?? DispatchQueue(label: "loading")
    }

    func perform(_ work: @escaping @Sendable () -> Void) {
      queue.async(execute: work)
    }
  }

  extension URLSessionTaskDelegate {
    func askAboutRedirect(
      _ session: URLSession, _ task: URLSessionTask, _ response: HTTPURLResponse,
      _ request: URLRequest, _ decide: @escaping @Sendable (URLRequest?) -> Void
    ) {
      urlSession(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request,
        completionHandler: decide)
    }

    func askForBodyStream(
      _ session: URLSession, _ task: URLSessionTask,
      _ use: @escaping @Sendable (InputStream?) -> Void
    ) {
      urlSession(session, task: task, needNewBodyStream: use)
    }
  }
#endif
