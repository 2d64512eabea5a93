import JSON
import ScenarioCore
import SourceText
import Synchronization

/// A plan of which the first scenarios run while the last files are still to be read.
///
/// Which files belong to it is settled when it is made. The first of them are read then; each of the others
/// when the scenarios before it have been handed out.
package final class GrowingPlan: Sendable {
  /// What reading a further file has added.
  struct Growth {
    var entries: ArraySlice<PlannedScenario>
    var diagnostics: ArraySlice<Diagnostic>
    /// How many scenarios there are in all, once the last file has been read.
    var total: Int?
  }

  fileprivate struct State {
    var plan: Plan
    /// Those still to be read, the next one last.
    var unread: [Discovery.File] = []
    /// What has been told of files that several scenarios name.
    var told: Set<ByteText> = []
  }

  private let planner: Planner?
  private let selection: Selection
  private let loader: ScenarioLoader?
  /// Whether what was handed out is kept no longer: it is asked for once.
  private let isGrowing: Bool
  private let state: Mutex<State>

  /// All of it is known already.
  package init(_ plan: Plan) {
    (planner, selection, isGrowing) = (nil, Selection(), false)
    loader = plan.loader
    state = Mutex(State(plan: plan))
  }

  /// So many files are read by all threads before what they say is put together.
  private static let batchLimit = 64

  /// - Parameters:
  ///   - lead: after so many scenarios no further file is read now, where the selection doesn't need all of
  ///     them.
  ///   - isOfFolders: whether only folders were named, no single files.
  init(
    _ planner: Planner, _ discovered: some Sequence<Discovery.File>,
    selecting selection: Selection, lead: Int = Planner.keptLimit, isOfFolders: Bool = false
  ) {
    let loader = planner.loader
    var state = State(plan: Plan(diagnostics: planner.warnings, loader: loader))
    state.plan.isOfFolders = isOfFolders
    let lead = selection.needsAll ? Int.max : lead
    var files = discovered.makeIterator()
    while state.plan.scenarioCount < lead || state.plan.entries.isEmpty {
      let count = state.plan.scenarioCount
      let isKept = count < Planner.keptLimit
      let room = (isKept ? min(lead, Planner.keptLimit) : lead) - count
      let batch = (0..<min(max(1, room), Self.batchLimit)).compactMap { _ in files.next() }
      if batch.isEmpty { break }
      let parts = batch.mapped(threads: planner.threads) {
        planner.part($0, isKept: isKept, isHashed: selection.shard != nil)
      }
      for part in parts { state.add(part, selection) }
    }
    state.unread = IteratorSequence(files).reversed()
    if state.unread.isEmpty { selection.applyToAll(&state.plan) }
    (self.planner, self.selection, self.loader) = (planner, selection, loader)
    isGrowing = !state.unread.isEmpty
    self.state = Mutex(state)
  }

  /// As far as it is known.
  package var current: Plan { state.withLock { $0.plan } }

  /// How many scenarios it has; `nil` while files are still to be read.
  package var total: Int? { state.withLock { $0.total } }

  /// What an entry is, decoded now where the plan did not keep it.
  package func content(of entry: PlannedScenario) -> PlannedScenario.Content {
    entry.content ?? loader?.content(entry.reference, number: entry.number) ?? .invalid([])
  }

  /// The entry at a place. Reads on where it isn't known yet.
  ///
  /// - Parameters:
  ///   - shouldStop: asked before each file.
  ///   - told: called for each file that is read.
  /// - Returns: `nil` where there is none, or reading was stopped.
  func entry(
    _ index: Int, unless shouldStop: () -> Bool, told: (Growth) -> Void
  ) -> PlannedScenario? {
    state.withLock { state in
      while index >= state.plan.entries.count {
        guard !shouldStop(), readNext(&state, isKept: true, told) else { return nil }
      }
      let entry = state.plan.entries[index]
      if isGrowing { state.plan.entries[index].content = nil }
      return entry
    }
  }

  /// Reads the files whose scenarios won't run any more, so that their errors are reported, too.
  func readRest(unless shouldStop: () -> Bool, told: (Growth) -> Void) {
    state.withLock { state in
      while !shouldStop(), readNext(&state, isKept: false, told) {}
    }
  }

  /// - Returns: whether there was a file to read.
  private func readNext(
    _ state: inout State, isKept: Bool, _ told: (Growth) -> Void
  ) -> Bool {
    guard let planner, let file = state.unread.popLast() else { return false }
    let (entryCount, faultCount) = (state.plan.entries.count, state.plan.diagnostics.count)
    state.add(planner.part(file, isKept: isKept, isHashed: selection.shard != nil), selection)
    told(
      Growth(
        entries: state.plan.entries[entryCount...],
        diagnostics: state.plan.diagnostics[faultCount...], total: state.total))
    return true
  }
}

extension GrowingPlan {
  /// The scenarios one after the other, decoded, each once; with `current.diagnostics` complete at the end.
  package var scenarios: some Sequence<Scenario> {
    sequence(state: 0) { next in
      while let entry = self.entry(next, unless: { false }, told: { _ in }) {
        next += 1
        if case .scenario(let scenario) = self.content(of: entry) { return scenario }
      }
      return nil
    }
  }
}

extension GrowingPlan.State {
  fileprivate var total: Int? { unread.isEmpty ? plan.entries.count : nil }

  fileprivate mutating func add(_ part: Plan, _ selection: Selection) {
    var part = part
    plan.scenarioCount += part.entries.count
    plan.unknownLines += part.unknownLines
    plan.usedFixtures.formUnion(part.usedFixtures)
    // A fault of a stub file is one of each scenario that names it, but is told once.
    plan.diagnostics += part.diagnostics.filter { told.insert($0.identity).inserted }
    selection.apply(toFile: &part.entries)
    plan.entries += part.entries
  }
}

extension Diagnostic {
  fileprivate var identity: ByteText {
    let range = location.map { "\($0.range)" } ?? ""
    return ByteText("\(path)\u{0}\(range)\u{0}\(message)")
  }
}
