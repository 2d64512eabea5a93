import ScenarioCore
import SourceText
import Testing

@testable import ScenarioRunner

@Suite("Shards")
struct ShardingTests {
  private func entries(_ count: Int) -> [PlannedScenario] {
    (0..<count).map { number in
      let reference = ScenarioReference(
        path: "Scenarios/s\(number / 3).json", scenarioName: "S\(number / 3)",
        caseName: number % 3 == 0 ? nil : "case \(number)")
      return PlannedScenario(reference: reference, content: .invalid([]))
    }
  }

  private func parts(_ all: [PlannedScenario], _ total: Int) -> [[String]] {
    (1...total).map { Shard(index: $0, total: total).part(of: all).map(\.reference.name) }
  }

  @Test("hold everything once, in the order of the files, however many there are")
  func partition() {
    for count in [0, 1, 2, 5, 31, 100] {
      let all = entries(count)
      let names = all.map(\.reference.name)
      let order = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
      for total in [1, 2, 3, 7, 16, 101] {
        let parts = parts(all, total)
        #expect(parts.joined().sorted() == names.sorted(), "\(count) in \(total)")
        for part in parts {
          let places = part.compactMap { order[$0] }
          #expect(places == places.sorted())
        }
      }
    }
  }

  @Test("differ by one scenario at most")
  func slices() {
    #expect(parts(entries(31), 7).map(\.count) == [5, 5, 5, 4, 4, 4, 4])
  }

  @Test("have a fingerprint that is the same on every machine")
  func fixedHash() {
    // The published values of FNV-1a with 64 bits.
    #expect(StableHash.of("") == 0xCBF2_9CE4_8422_2325)
    #expect(StableHash.of("a") == 0xAF63_DC4C_8601_EC8C)
    #expect(StableHash.of("foobar") == 0x8594_4171_F739_67E8)
  }

  @Test("are of the same whole only where scenarios, files, order and repetitions are alike")
  func whole() {
    let all = entries(6)
    func fingerprint(_ entries: [PlannedScenario], repetitions: Int = 1) -> String {
      ShardedWhole(of: entries, repetitions: repetitions, ProjectPaths()).fingerprint
    }
    var changed = all
    changed[2].contentHash = 7
    let wholes = [
      fingerprint(all), fingerprint(all.dropLast()), fingerprint(all.reversed()),
      fingerprint(changed), fingerprint(all, repetitions: 2),
    ]
    #expect(Set(wholes).count == wholes.count)
    #expect(fingerprint(all) == fingerprint(entries(6)))
  }
}
