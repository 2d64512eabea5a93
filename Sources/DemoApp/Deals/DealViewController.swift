import AppHarness
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The deal of the moment, with the seconds that it still lasts.
///
/// Written the careless way, as it is found in apps: the shared session, a queue, timers, dates and
/// random numbers, with nothing handed in. Rules: a deal is asked for when the screen appears, and once
/// more when it is over; who has had it on screen for two seconds has seen it, which is told once.
@MainActor final class DealViewController: ViewController {
  private typealias ID = AccessibilityID.Deal

  private var deal: Deal?
  private var secondsLeft = 0
  private var countdown: Timer?
  private var seen: DispatchWorkItem?
  private let visit = UUID()

  var view: Element {
    guard let deal else { return Element(.other, ID.view, children: [.loading]) }
    return Element(
      .other, ID.view,
      children: [
        .label(AccessibilityID.Common.titleLabel, deal.title),
        .label(ID.countdownLabel, "\(secondsLeft) s"),
      ])
  }

  func viewDidAppear() { ask() }

  func viewDidDisappear() {
    countdown?.invalidate()
    seen?.cancel()
  }

  private func ask() {
    guard let url = URL(string: "https://shop.example.com/api/deal") else { return }
    DispatchQueue.global(qos: .utility).async {
      URLSession.shared.dataTask(with: url) { data, _, _ in
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let data, let deal = try? decoder.decode(Deal.self, from: data) else { return }
        DispatchQueue.main.async { MainActor.assumeIsolated { self.show(deal) } }
      }.resume()
    }
  }

  private func show(_ deal: Deal) {
    self.deal = deal
    updateSeconds()
    countdown?.invalidate()
    countdown = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] _ in
      MainActor.assumeIsolated { self?.count() }
    }
    seen?.cancel()
    let report = DispatchWorkItem { @Sendable [visit] in Self.reportSeen(deal, visit) }
    seen = report
    DispatchQueue.global().asyncAfter(deadline: .now() + 2, execute: report)
  }

  private func updateSeconds() {
    secondsLeft = max(0, Int((deal?.endsAt.timeIntervalSinceNow ?? 0).rounded(.up)))
  }

  private func count() {
    updateSeconds()
    guard secondsLeft == 0 else { return }
    countdown?.invalidate()
    ask()
  }

  private nonisolated static func reportSeen(_ deal: Deal, _ visit: UUID) {
    let time = Int(Date().timeIntervalSince1970)
    let query = "deal=\(deal.id)&visit=\(visit)&at=\(time)"
    guard let url = URL(string: "https://track.example.com/deal-seen?\(query)") else { return }
    URLSession.shared.dataTask(with: url).resume()
  }
}

private struct Deal: Decodable, Sendable {
  var id: String
  var title: String
  var endsAt: Date
}
