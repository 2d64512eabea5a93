import Dispatch
import Foundation

/// Counts each job of Swift concurrency that is not the main actor's, from enqueued to run.
///
/// The runtime calls `swift_task_enqueueGlobal_hook` for every such job: tasks, detached tasks,
/// task groups, actors, and the continuations that they resume. The hook runs the job itself, so
/// that its end is seen too. (The runtime exports a hook for the main actor's jobs as well, but
/// does not call it on every platform: those are seen as blocks of the main queue.)
enum ConcurrencyHook {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  /// - Returns: `false` where the runtime exports no hook.
  static func install() -> Bool {
    guard let symbol = dlsym(defaultHandle, "swift_task_enqueueGlobal_hook") else { return false }
    symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in runCounted(job) }
    return true
  }
}

private func runCounted(_ job: UnownedJob) {
  WorkCounter.process.begin(.job)
  DispatchQueue.global(qos: qualityOfService(of: job)).async {
    job.runSynchronously(on: genericExecutor)
    WorkCounter.process.end(.job)
  }
}

/// The executor of jobs that belong to no actor: two null words, as the runtime's ABI has it.
private let genericExecutor = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)

private func qualityOfService(of job: UnownedJob) -> DispatchQoS.QoSClass {
  switch job.priority.rawValue {
  case TaskPriority.high.rawValue...: .userInitiated
  case TaskPriority.medium.rawValue...: .default
  case TaskPriority.utility.rawValue...: .utility
  default: .background
  }
}

extension WorkCounter {
  /// The process's own counter: the runtime's hook has no other way to find it.
  package static let process = WorkCounter()
}
