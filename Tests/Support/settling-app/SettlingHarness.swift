import AppHarness
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A button for each kind of work; a tap starts a hundred pieces of it, and the label counts those
/// that are done.
final class SettlingHarness: HarnessedApp {
  private let done = Counter()
  private let work: Work
  private let foreign: ForeignWork
  private let waits: ForeignWaits

  init(_ launch: AppLaunch) {
    work = Work(
      session: URLSession(configuration: launch.sessionConfiguration()), clock: launch.clock,
      announcements: launch.work, done: done)
    foreign = ForeignWork(done)
    waits = ForeignWaits(done)
  }

  var screen: Element {
    Element(
      "Window", "Root",
      children: buttons(WorkKind.self) { self.work.start($0, $1) }
        + buttons(ForeignWork.Kind.self) { self.foreign.start($0, $1) }
        + buttons(ForeignWaits.Kind.self) { self.waits.start($0, $1) }
        + [
          Element("StaticText", "done", label: "\(done.value)"),
          Element("StaticText", "order", label: waits.order),
          Element("StaticText", "random", label: RandomValues.text),
          Element("StaticText", "time", label: ForeignWaits.time),
        ])
  }

  private func buttons<Kind: CaseIterable & RawRepresentable<String>>(
    _ kinds: Kind.Type, _ start: @escaping (Kind, Int) -> Void
  ) -> [Element] {
    kinds.allCases.map { kind in
      Element("Button", kind.rawValue).onTap {
        self.done.reset()
        for piece in 0..<Counter.pieces { start(kind, piece) }
      }
    }
  }
}

enum WorkKind: String, CaseIterable {
  case tasks, detached, yields, groups, actors, mainActor, mainQueue, handlers, requests, chains
  case clock, announced, endless
}
