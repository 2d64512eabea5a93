/// The results of a run, in the order in which they finished, or sorted as the plan is.
///
/// Those that passed, nearly all of nearly every run, are kept as records with what the app wrote;
/// each access makes such a result anew. Those that did not pass are kept whole, but for what the app
/// wrote.
package struct ScenarioResults: RandomAccessCollection, Sendable {
  private struct Item {
    var index: Int
    var place: Place
    var verdict: Verdict
    var isFlaky: Bool
  }

  private enum Place {
    case record(Int)
    /// The number in `whole`, and the record of what the app wrote.
    case whole(Int, output: Int)
  }

  private let storage: any RecordStorage
  private var items: [Item] = []
  private var whole: [ScenarioResult] = []

  package init(storage: any RecordStorage = MemoryRecords()) {
    self.storage = storage
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { items.count }

  package subscript(position: Int) -> ScenarioResult {
    switch items[position].place {
    case .record(let record):
      var reader = RecordReader(storage.bytes(at: record))
      return reader.plainResult()
    case .whole(let number, let output):
      var reader = RecordReader(storage.bytes(at: output))
      var result = whole[number]
      result.output = reader.output()
      return result
    }
  }

  package mutating func append(_ result: ScenarioResult) {
    items.append(
      Item(
        index: result.index, place: keep(result), verdict: result.verdict, isFlaky: result.isFlaky)
    )
  }

  /// Brings them into the order of the plan.
  package mutating func sortAsPlanned() {
    items.sort { $0.index < $1.index }
  }

  private mutating func keep(_ result: ScenarioResult) -> Place {
    var writer = RecordWriter()
    if result.isPlain {
      writer.add(plain: result)
      return .record(storage.append(writer.bytes))
    }
    writer.add(result.output)
    var rest = result
    rest.output = AppOutput()
    whole.append(rest)
    return .whole(whole.count - 1, output: storage.append(writer.bytes))
  }
}

// MARK: - Without looking at each

extension ScenarioResults {
  package func count(_ verdict: Verdict) -> Int { items.count { $0.verdict == verdict } }

  package var flakyCount: Int { items.count(where: \.isFlaky) }

  /// Those with this verdict. Like all of these, each is made when it is asked for: what many apps
  /// wrote is never in memory at once.
  package func all(_ verdict: Verdict) -> some Collection<ScenarioResult> {
    indices.lazy.filter { items[$0].verdict == verdict }.map { self[$0] }
  }

  /// Those that failed or errored.
  package var unsuccessful: some Collection<ScenarioResult> {
    indices.lazy.filter { items[$0].verdict.isUnsuccessful }.map { self[$0] }
  }

  /// Those that passed after a failure.
  package var flaky: some Collection<ScenarioResult> {
    indices.lazy.filter { items[$0].isFlaky }.map { self[$0] }
  }
}
