#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation
  import FoundationNetworking

  /// What a task keeps to itself, as swift-corelibs-foundation stores it.
  enum TaskInternals {
    static func session(of task: URLSessionTask) -> URLSession? {
      value(of: task, "session") as? URLSession
    }

    /// The body that an upload task was given, which its request does not show.
    static func uploadBody(of task: URLSessionUploadTask) -> Data? {
      guard
        let body = value(of: task, "knownBody").flatMap({ Mirror(reflecting: $0).children.first })
      else { return nil }
      // An optional enumeration: `.some(.data(…))`.
      let content = body.label == "some" ? Mirror(reflecting: body.value).children.first : body
      switch content?.value {
      case let bytes as DispatchData: return Data(bytes)
      case let file as URL: return try? Data(contentsOf: file)
      default: return nil
      }
    }

    /// Calls `deliver` where the system lets a protocol speak: on the task's own serial queue, so
    /// that an answer and a cancellation don't cross.
    static func deliver(for task: URLSessionTask?, _ deliver: @escaping @Sendable () -> Void) {
      guard let queue = task.flatMap({ value(of: $0, "workQueue") }) as? DispatchQueue else {
        return deliver()
      }
      queue.async(execute: deliver)
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
#endif
