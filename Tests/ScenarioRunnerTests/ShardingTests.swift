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

  private func chosen(of all: [PlannedScenario], _ sharding: Sharding) -> [String] {
    sharding.part(of: all, ProjectPaths()).map(\.reference.name)
  }

  private func parts(_ all: [PlannedScenario], _ total: Int, _ kind: ShardKind) -> [[String]] {
    (1...total).map { index in
      chosen(of: all, Sharding(Shard(index: index, total: total), by: kind))
    }
  }

  @Test(
    "hold everything once, in the order of the files, however many there are",
    arguments: ShardKind.allCases)
  func partition(kind: ShardKind) {
    for count in [0, 1, 2, 5, 31, 100] {
      let all = entries(count)
      let names = all.map(\.reference.name)
      let order = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
      for total in [1, 2, 3, 7, 16, 101] {
        let parts = parts(all, total, kind)
        #expect(parts.joined().sorted() == names.sorted(), "\(count) in \(total)")
        for part in parts {
          let places = part.compactMap { order[$0] }
          #expect(places == places.sorted())
        }
      }
    }
  }

  @Test("by slice differ by one scenario at most")
  func slices() {
    #expect(parts(entries(31), 7, .slice).map(\.count) == [5, 5, 5, 4, 4, 4, 4])
  }

  @Test("by hash, a scenario keeps its shard when others come or go")
  func hash() {
    let many = parts(entries(60), 4, .hash)
    let few = parts(entries(60).enumerated().filter { $0.offset % 4 == 1 }.map(\.element), 4, .hash)
    for (many, few) in zip(many, few) { #expect(Set(few).isSubset(of: many)) }
    #expect(many.allSatisfy { $0.count > 5 })
  }

  @Test("by hash are the same on every machine")
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
      Sharding(Shard(index: 1, total: 2), by: .hash)
        .whole(of: entries, repetitions: repetitions, ProjectPaths()).fingerprint
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
