/// The results of a run, in the order in which they finished, or sorted as the plan is.
///
/// Those that passed, nearly all of nearly every run, are kept as records with what the app wrote;
/// each access makes such a result anew. Those that did not pass are kept whole, but for what the app
/// wrote.
package struct ScenarioResults: RandomAccessCollection, Sendable {
  private struct Item {
    var index: Int
    /// Of the result, or of what the app wrote where the rest of it is in `whole`.
    var record: Int
    var verdict: Verdict
    var isFlaky: Bool
    var isWhole: Bool
  }

  private let storage: any RecordStorage
  private var items: [Item] = []
  /// By the record of what the app wrote.
  private var whole: [Int: ScenarioResult] = [:]

  package init(storage: any RecordStorage = MemoryRecords()) {
    self.storage = storage
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { items.count }

  package subscript(position: Int) -> ScenarioResult {
    let record = items[position].record
    var reader = RecordReader(storage.bytes(at: record))
    guard items[position].isWhole, var result = whole[record] else { return reader.plainResult() }
    result.output = reader.output()
    return result
  }

  package mutating func append(_ result: ScenarioResult) {
    items.append(
      Item(
        index: result.index, record: keep(result), verdict: result.verdict,
        isFlaky: result.isFlaky, isWhole: !result.isPlain))
  }

  /// Brings them into the order of the plan.
  package mutating func sortAsPlanned() {
    items.sort { $0.index < $1.index }
  }

  /// - Returns: the record.
  private mutating func keep(_ result: ScenarioResult) -> Int {
    var writer = RecordWriter()
    if result.isPlain {
      writer.add(plain: result)
      return storage.append(writer.bytes)
    }
    writer.add(result.output)
    var rest = result
    rest.output = AppOutput()
    let record = storage.append(writer.bytes)
    whole[record] = rest
    return record
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
