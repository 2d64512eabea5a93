import ScenarioCore

/// The scenarios of a plan, in order: few of them decoded, the others as records of who they are.
package struct PlannedScenarios: RandomAccessCollection, Sendable {
  private struct Item {
    var record: Int
    /// 0 where nothing is repeated.
    var repetition: Int
  }

  private let storage: any RecordStorage
  private var items: [Item] = []
  /// What is decoded, by record.
  private var contents: [Int: PlannedScenario.Content] = [:]

  package init(_ scenarios: [PlannedScenario] = [], storage: any RecordStorage = MemoryRecords()) {
    self.storage = storage
    for scenario in scenarios { append(scenario) }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { items.count }

  package subscript(position: Int) -> PlannedScenario { scenario(items[position]) }

  mutating func append(_ scenario: PlannedScenario) {
    var writer = RecordWriter()
    writer.add(scenario.number)
    writer.add(scenario.contentHash.map { Int(bitPattern: UInt($0)) })
    writer.add(scenario.reference)
    let record = storage.append(writer.bytes)
    contents[record] = scenario.content
    items.append(Item(record: record, repetition: scenario.repetition ?? 0))
  }

  private func scenario(_ item: Item) -> PlannedScenario {
    var reader = RecordReader(storage.bytes(at: item.record))
    let (number, hash) = (reader.int(), reader.optionalInt())
    return PlannedScenario(
      reference: reader.reference(), number: number, content: contents[item.record],
      contentHash: hash.map { UInt64(UInt(bitPattern: $0)) },
      repetition: item.repetition == 0 ? nil : item.repetition)
  }
}

// MARK: - Choosing

extension PlannedScenarios {
  mutating func keep(where isKept: (PlannedScenario) -> Bool) {
    items = items.filter { isKept(scenario($0)) }
  }

  /// Keeps those of which the list, in their order, says so.
  mutating func keep(_ areKept: some Sequence<Bool>) {
    items = zip(items, areKept).filter(\.1).map(\.0)
  }

  mutating func shuffle(using generator: inout some RandomNumberGenerator) {
    items.shuffle(using: &generator)
  }

  /// Each so often, one after the other.
  mutating func `repeat`(times: Int) {
    guard times > 1 else { return }
    items = items.flatMap { item in
      (1...times).map { Item(record: item.record, repetition: $0) }
    }
  }
}
