import AppHarness
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Bugs that show only where answers come in another order than usual, get lost, or find the app killed.
@MainActor final class Races {
  private enum Button: String, CaseIterable {
    /// The answer that comes last is shown, whichever was asked for last.
    case searchA, searchB
    /// What was cancelled is shown all the same.
    case load, cancel
    /// The page whose answer comes first is told as seen.
    case pages
    /// What isn't known to have arrived is sent again.
    case pay
    /// The queue is saved once something of it was sent.
    case track
    /// Nobody hears of the answers.
    case ping
  }

  private let session: URLSession
  private let network: NetworkCondition
  private(set) var result = ""
  private var hasSeenPage = false
  private var queue: [String]

  init(_ launch: AppLaunch) {
    session = URLSession(configuration: launch.sessionConfiguration())
    network = launch.network
    queue =
      (try? String(contentsOf: Self.file, encoding: .utf8))?.split(separator: "\n").map(
        String.init) ?? []
    network.onChange { [weak self] _ in self?.sendNext() }
    sendNext()
  }

  var buttons: [Element] {
    Button.allCases.map { button in
      Element(.button, button.rawValue).onTap { self.press(button) }
    }
  }

  private func press(_ button: Button) {
    switch button {
    case .searchA: ask("/search?q=a") { self.result = $0 }
    case .searchB: ask("/search?q=b") { self.result = $0 }
    case .load: ask("/load") { _ in self.result = "loaded" }
    case .cancel: result = "cancelled"
    case .pages: for page in 1...2 { showPage(page) }
    case .pay: pay(attempts: 2)
    case .track:
      queue.append("\(queue.count)")
      sendNext()
    case .ping: for number in 1...3 { ask("/ping?n=\(number)") { _ in } }
    }
  }

  private func showPage(_ page: Int) {
    ask("/page?n=\(page)") { _ in
      if !self.hasSeenPage { self.ask("/seen?n=\(page)") { _ in } }
      self.hasSeenPage = true
    }
  }

  private func pay(attempts: Int) {
    guard attempts > 0 else { return }
    Task {
      do { _ = try await send("/pay", method: "POST") } catch { pay(attempts: attempts - 1) }
    }
  }

  private func sendNext() {
    guard network.isOnline, let next = queue.first else { return }
    Task {
      guard (try? await send("/event?n=\(next)")) != nil else { return }
      queue.removeFirst()
      try? queue.joined(separator: "\n").write(to: Self.file, atomically: true, encoding: .utf8)
      sendNext()
    }
  }

  private func ask(_ path: String, _ use: @escaping @MainActor (String) -> Void) {
    Task { if let answer = try? await send(path) { use(answer) } }
  }

  private func send(_ path: String, method: String = "GET") async throws -> String {
    guard let url = URL(string: "https://api.example.com\(path)") else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.httpMethod = method
    return String(decoding: try await session.data(for: request).0, as: UTF8.self)
  }

  private static var file: URL { URL.homeDirectory.appending(path: "queue") }
}
