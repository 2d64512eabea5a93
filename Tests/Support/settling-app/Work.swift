import AppHarness
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@MainActor final class Work {
  private let done: Counter
  private let session: URLSession
  private let clock: VirtualClock
  private let announcements: WorkAnnouncements

  init(
    session: URLSession, clock: VirtualClock, announcements: WorkAnnouncements, done: Counter
  ) {
    self.done = done
    self.session = session
    self.clock = clock
    self.announcements = announcements
  }

  func start(_ kind: WorkKind, _ piece: Int) {
    switch kind {
    case .tasks: Task { finish() }
    case .detached: Task.detached { await self.finish() }
    case .yields: Task.detached { await self.yield() }
    case .groups: Task { if await Self.group() == 1 { finish() } }
    case .actors: Task { if await Accumulator().add() == 1 { finish() } }
    case .mainActor: hopMain(5)
    case .mainQueue: hopQueue(5)
    case .handlers: ask(piece)
    case .requests: Task { await request(piece) }
    case .chains: chain(3, piece)
    case .clock:
      Task {
        try? await clock.sleep(for: .seconds(1))
        finish()
      }
    case .announced: announce()
    case .endless: if piece == 0 { Task.detached { while true { await Task.yield() } } }
    }
  }

  private func finish() { done.add() }

  private nonisolated func yield() async {
    for _ in 0..<20 { await Task.yield() }
    await finish()
  }

  private nonisolated static func group() async -> Int {
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<10 { group.addTask { await Task { 1 }.value } }
      return await group.reduce(0, +) / 10
    }
  }

  /// Fire and forget, over and over, on the main actor.
  private func hopMain(_ hops: Int) {
    guard hops > 0 else { return finish() }
    Task { @MainActor in hopMain(hops - 1) }
  }

  private func hopQueue(_ hops: Int) {
    guard hops > 0 else { return finish() }
    DispatchQueue.main.async { self.hopQueue(hops - 1) }
  }

  private func ask(_ piece: Int) {
    guard let url = URL(string: "https://a.example.com/handler?piece=\(piece)") else { return }
    session.dataTask(with: url) { _, _, _ in
      // A handler that takes its time, and goes on after its end.
      _ = (0..<2_000).reduce(0, &+)
      Task.detached { await self.finish() }
    }.resume()
  }

  private func request(_ piece: Int) async {
    guard let url = URL(string: "https://a.example.com/request?piece=\(piece)") else { return }
    _ = try? await session.data(from: url)
    finish()
  }

  /// Handler, main queue, task, request, and again.
  private func chain(_ links: Int, _ piece: Int) {
    guard links > 0, let url = URL(string: "https://a.example.com/chain?piece=\(piece)") else {
      return finish()
    }
    session.dataTask(with: url) { _, _, _ in
      DispatchQueue.main.async {
        Task { @MainActor in
          _ = try? await self.session.data(from: url)
          self.chain(links - 1, piece)
        }
      }
    }.resume()
  }

  private func announce() {
    let token = announcements.begin()
    DispatchQueue.global().async {
      Task { @MainActor in
        self.finish()
        token.end()
      }
    }
  }
}

actor Accumulator {
  private var sum = 0

  func add() async -> Int {
    for _ in 0..<10 { await Task.detached { await self.increment() }.value }
    return sum / 10
  }

  private func increment() { sum += 1 }
}
