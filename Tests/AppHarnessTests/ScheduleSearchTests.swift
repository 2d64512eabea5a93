import HarnessProtocol
import JSON
import SourceText
import Synchronization
import Testing

@testable import AppHarness
@testable import ScenarioCore

@Suite("The search for orders")
struct ScheduleSearchTests {
  /// An app as far as the order of answers matters: what each action asks for, and what each answer leads to.
  struct Model: CustomTestStringConvertible, Sendable {
    /// By the action, from the launch on: the requests that it makes.
    var actions: [[Int]]
    /// By the request: those that its answer leads to.
    var followers: [[Int]]
    /// By the request: the action that gives it up, if it still waits then.
    var end: [Int?]

    var testDescription: String { "\(actions), \(followers), \(end)" }

    /// One of many, by its number: up to six requests in up to three actions.
    init(_ number: Int) {
      var random = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 &+ 1
      func next(_ limit: Int) -> Int {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(random >> 33) % limit
      }
      let count = 2 + next(4)
      actions = Array(repeating: [], count: 1 + next(3))
      followers = Array(repeating: [], count: count)
      end = (0..<count).map { _ in next(3) == 0 ? 1 + next(3) : nil }
      for request in 0..<count {
        if request > 0, next(3) == 0 {
          followers[next(request)].append(request)
        } else {
          actions[next(actions.count)].append(request)
        }
      }
    }
  }

  /// Which answer came, or that the next action came first.
  private enum Choice: Hashable {
    case answer(Int)
    case wait
  }

  private static let models = (0..<20).map(Model.init)

  @Test("finds each order that there is, each once", arguments: models)
  func complete(_ model: Model) throws {
    var wanted: Set<[Choice]> = []
    Self.enumerate(model, into: &wanted)
    let steps = (1..<max(1, model.actions.count)).map { action in
      Step(
        id: action, action: .app(.background),
        location: SourceLocation(file: SourceFile(path: "a.json", text: ""), range: 0..<0))
    }
    let search = ScheduleSearch(.orders, steps: steps)
    var frontier = [ScheduleCandidate(schedule: Schedule())]
    var found: Set<[Choice]> = []
    while let candidate = frontier.popLast() {
      let taken = try Self.run(model, candidate.schedule)
      #expect(taken.unmet.isEmpty, "\(candidate.schedule)")
      #expect(taken.events.starts(with: candidate.expected), "\(candidate.schedule)")
      #expect(found.insert(Self.choices(taken)).inserted, "\(candidate.schedule)")
      frontier += search.candidates(after: candidate, taken)
      if found.count > wanted.count { break }
    }
    #expect(found == wanted)
  }

  @Test(
    "independent answers in one order: what they do together is seen in every order all the same",
    arguments: models)
  func independence(_ model: Model) throws {
    let (all, some) = (
      try Self.histories(model, prunes: false), try Self.histories(model, prunes: true)
    )
    #expect(some.seen == all.seen)
    #expect(some.runs <= all.runs)
  }

  @Test("five answers that nobody sees together take few runs")
  func independentImages() throws {
    var model = Model(0)
    model.actions = [[0, 1, 2, 3, 4]]
    model.followers = Array(repeating: [], count: 5)
    model.end = Array(repeating: nil, count: 5)
    let cells = Array(0..<5)
    #expect(try Self.histories(model, cells, prunes: true).runs < 20)
    #expect(try Self.histories(model, cells, prunes: false).runs == 120)
  }

  /// Which answers each part of the screen got, when and in which order, in some run of a search.
  ///
  /// - Parameter cells: by the request: the part that shows its answer.
  private static func histories(
    _ model: Model, _ cells: [Int] = [0, 1, 1, 0, 2, 0], prunes: Bool
  ) throws -> (seen: Set<String>, runs: Int) {
    let steps = (1..<max(1, model.actions.count)).map { action in
      Step(
        id: action, action: .app(.background),
        location: SourceLocation(file: SourceFile(path: "a.json", text: ""), range: 0..<0))
    }
    let search = ScheduleSearch(.orders, steps: steps)
    var independence = AnswerIndependence()
    var frontier = [ScheduleCandidate(schedule: Schedule())]
    var (seen, runs): (Set<String>, Int) = ([], 0)
    while !frontier.isEmpty {
      let candidate = frontier.removeFirst()
      if prunes, let overtaking = candidate.overtaking, independence.hasEqual(overtaking) {
        continue
      }
      runs += 1
      let taken = try run(model, candidate.schedule)
      let screens = model.actions.indices.map { action in
        cells.indices.map { cell in
          let history = taken.events.compactMap { event -> String? in
            guard case .delivered(let delivery) = event, delivery.during <= action else {
              return nil
            }
            let request = number(taken.requests[delivery.request].url)
            return cells[request] == cell ? "\(request)@\(delivery.during)" : nil
          }
          return "\(cell): \(history.joined(separator: " "))"
        }
      }
      seen.formUnion(screens.last ?? [])
      let observed = ObservedRun(
        taken,
        screens: screens.map { Screen($0.map { ScreenElement(type: "StaticText", label: $0) }) })
      if let overtaking = candidate.overtaking { independence.learn(overtaking, observed) }
      frontier += search.candidates(after: candidate, taken, observed)
    }
    return (seen, runs)
  }

  @Test("a schedule that was written, read and followed again leads to the same", arguments: models)
  func replay(_ model: Model) throws {
    let search = ScheduleSearch(
      .orders,
      steps: (1..<max(1, model.actions.count)).map {
        Step(
          id: $0, action: .app(.background),
          location: SourceLocation(file: SourceFile(path: "a.json", text: ""), range: 0..<0))
      })
    let root = ScheduleCandidate(schedule: Schedule())
    for candidate in search.candidates(after: root, try Self.run(model, root.schedule)) {
      let taken = try Self.run(model, candidate.schedule)
      let again = ScheduleNaming(taken.requests).schedule(of: taken.events)
      #expect(try Schedule(again.description) == again)
      #expect(try Self.run(model, Schedule(again.description)).events == taken.events)
    }
  }

  private static func choices(_ taken: TakenSchedule) -> [Choice] {
    taken.events.map { event in
      switch event {
      case .delivered(let delivery): .answer(number(taken.requests[delivery.request].url))
      case .deferred, .restarted: .wait
      }
    }
  }

  private static func number(_ url: String) -> Int {
    Int(url.split(separator: "=").last ?? "") ?? -1
  }

  /// Every order, by the rules alone.
  private static func enumerate(_ model: Model, into found: inout Set<[Choice]>) {
    func go(_ action: Int, _ held: [Int], _ late: Set<Int>, _ choices: [Choice]) {
      guard !held.isEmpty else {
        let next = action + 1
        guard next < model.actions.count else {
          found.insert(choices)
          return
        }
        return go(
          next, model.actions[next].filter { model.end[$0].map { $0 > next } ?? true }, [], choices)
      }
      for request in held {
        let followers = model.followers[request].filter {
          model.end[$0].map { $0 > action } ?? true
        }
        let rest = held.filter { $0 != request } + followers
        go(action, rest, late, choices + [.answer(request)])
      }
      let next = action + 1
      if next < model.actions.count, late.isDisjoint(with: held) {
        let kept = (held + model.actions[next]).filter { model.end[$0].map { $0 > next } ?? true }
        go(next, kept, Set(held), choices + [.wait])
      }
    }
    go(0, model.actions[0], [], [])
  }

  /// The kit's own engine, with the model in place of an app.
  private static func run(_ model: Model, _ schedule: Schedule) throws -> TakenSchedule {
    var taken = TakenSchedule(schedule)
    let engine = AnswerSchedule(taken.beginProcess())
    let records = Mutex(0)
    let current = Mutex(0)
    @Sendable func ask(_ request: Int, during action: Int) {
      let record = records.withLock { records in
        records += 1
        return records
      }
      engine.add(
        AskedRequest(
          method: "GET", url: "https://a.example.com/r?n=\(request)", action: action), body: [],
        record: record)
      engine.hold(
        AnswerSchedule.HeldAnswer(
          action: action,
          isAwaited: { model.end[request].map { end in current.withLock { $0 < end } } ?? true }
        ) { _ in
          for follower in model.followers[request] { ask(follower, during: action) }
        }, record: record)
    }
    for action in model.actions.indices {
      current.withLock { $0 = action }
      for request in model.actions[action] { ask(request, during: action) }
      while let delivery = engine.next(during: action, isLast: false) {
        delivery.deliver()
        engine.note(delivery, during: action, began: 0, clock: 0)
      }
      taken.take(engine.report(), after: action)
    }
    return taken
  }
}
