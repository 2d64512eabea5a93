#if canImport(FoundationNetworking)
  import FoundationNetworking

  extension CompletionWatch {
    /// The session, which a task keeps to itself: swift-corelibs-foundation stores it as `session`.
    static func session(of task: URLSessionTask) -> URLSession? {
      var mirror: Mirror? = Mirror(reflecting: task)
      while let current = mirror {
        if let child = current.children.first(where: { $0.label == "session" }) {
          return child.value as? URLSession
        }
        mirror = current.superclassMirror
      }
      return nil
    }
  }
#endif
