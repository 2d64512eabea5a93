import Dispatch

/// On which dispatch queue a job of Swift concurrency runs.
enum JobQueues {
  static func qualityOfService(of job: UnownedJob) -> DispatchQoS.QoSClass {
    switch job.priority.rawValue {
    case TaskPriority.high.rawValue...: .userInitiated
    case TaskPriority.medium.rawValue...: .default
    case TaskPriority.utility.rawValue...: .utility
    default: .background
    }
  }
}

extension WorkCounter {
  /// The process's own counter: the runtime's executors have no other way to find it.
  package static let process = WorkCounter()
}
