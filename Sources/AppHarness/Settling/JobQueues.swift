import Dispatch

/// The dispatch queues on which counted jobs run.
enum JobQueues {
  static func queue(for job: UnownedJob) -> DispatchQueue {
    DispatchQueue.global(qos: qualityOfService(of: job))
  }

  private static func qualityOfService(of job: UnownedJob) -> DispatchQoS.QoSClass {
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
