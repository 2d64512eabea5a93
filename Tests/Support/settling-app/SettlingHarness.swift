import AppHarness
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A button for each kind of work; a tap starts a hundred pieces of it, and the label counts those
/// that are done.
final class SettlingHarness: HarnessedApp {
  private let work: Work

  init(_ launch: AppLaunch) {
    work = Work(
      session: URLSession(configuration: launch.sessionConfiguration()), clock: launch.clock,
      announcements: launch.work)
  }

  var screen: Element {
    let buttons = WorkKind.allCases.map { kind in
      Element("Button", kind.rawValue).onTap { self.work.start(kind) }
    }
    return Element(
      "Window", "Root",
      children: buttons + [Element("StaticText", "done", label: "\(work.done)")])
  }
}

enum WorkKind: String, CaseIterable {
  case tasks, detached, yields, groups, actors, mainActor, mainQueue, handlers, requests, chains
  case sleeps, clock, announced, endless
}
