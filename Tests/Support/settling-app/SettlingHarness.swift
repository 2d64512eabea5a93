import AppHarness
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A button for each kind of work; a tap starts many pieces of it, and the label counts those
/// that are done.
final class SettlingHarness: HarnessedApp {
  private let done = Counter()
  private let work: Work
  private let foreign: ForeignWork
  private let waits: ForeignWaits
  private let races: Races
  #if os(Linux)
    private let system: SystemWaits
  #endif

  init(_ launch: AppLaunch) {
    work = Work(
      session: URLSession(configuration: launch.sessionConfiguration()), clock: launch.clock,
      announcements: launch.work, done: done)
    foreign = ForeignWork(done)
    waits = ForeignWaits(done)
    races = Races(launch)
    #if os(Linux)
      system = SystemWaits(done)
    #endif
  }

  // Nothing of an app is torn down, at the end of its process either.
  deinit { fatalError("torn down in the middle of something") }

  var screen: Element {
    Element(
      .window, "Root",
      children: buttons(WorkKind.self) { self.work.start($0, $1) }
        + buttons(ForeignWork.Kind.self) { self.foreign.start($0, $1) }
        + buttons(ForeignWaits.Kind.self) { self.waits.start($0, $1) }
        + systemButtons + races.buttons
        + buttons(Manners.self) { if $1 == 0 { $0.show() } }
        + [
          Element(.staticText, "done", label: "\(done.value)"),
          Element(.staticText, "result", label: races.result),
          Element(.staticText, "order", label: waits.order),
          Element(.staticText, "random", label: RandomValues.text),
          Element(.staticText, "time", label: ForeignWaits.time),
        ])
  }

  private var systemButtons: [Element] {
    #if os(Linux)
      buttons(SystemWaits.Kind.self) { self.system.start($0, $1) }
    #else
      []
    #endif
  }

  private func buttons<Kind: CaseIterable & RawRepresentable<String>>(
    _ kinds: Kind.Type, _ start: @escaping (Kind, Int) -> Void
  ) -> [Element] {
    kinds.allCases.map { kind in
      Element(.button, kind.rawValue).onTap {
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

/// What libraries do to the streams and at the end of a process.
enum Manners: String, CaseIterable {
  case prints, readsInput, crashesAtExit

  func show() {
    switch self {
    case .prints:
      print("whole\nand no newline", terminator: "")
      fflush(nil)
      // As libcurl writes.
      _ = write(1, " nor here", 9)
    case .readsInput: print("read: \(readLine() ?? "nothing")")
    case .crashesAtExit: atexit { fatalError("torn down in the middle of something") }
    }
  }
}
