#if canImport(Darwin)
  import Foundation

  /// Where a task has its session: key-value coding is quick enough to be asked each time.
  struct SessionPlace {
    mutating func learn(from task: URLSessionTask, _ session: URLSession) {}

    func identifier(in task: URLSessionTask) -> ObjectIdentifier? {
      TaskInternals.session(of: task).map(ObjectIdentifier.init)
    }
  }
#endif
