import RequestMatching
import Synchronization

/// All stubs of a launch, with what they remember: which response comes next, and in which state a
/// sequence is.
package final class StubSet: Sendable {
  private struct Memory {
    /// How often each mapping has answered.
    var answers: [Int: Int] = [:]
    var states: [String: String] = [:]
    /// How often each captured request has been answered, by its first entry and archive.
    var replays: [[Int]: Int] = [:]
  }

  /// By priority; of equal ones the later first.
  private let mappings: [StubMapping]
  /// They answer what no mapping answers.
  private let archives: [CapturedArchive]
  private let memory = Mutex(Memory())

  package init(_ files: [StubFile]) {
    var mappings: [StubMapping] = []
    var archives: [CapturedArchive] = []
    for file in files {
      switch file {
      case .mappings(let more): mappings += more
      case .archive(let archive): archives.append(archive)
      }
    }
    let ordered = mappings.enumerated().sorted {
      ($0.element.priority, -$0.offset) < ($1.element.priority, -$1.offset)
    }
    self.mappings = ordered.map(\.element)
    self.archives = archives
  }

  package var isEmpty: Bool { mappings.isEmpty && archives.isEmpty }

  /// The response for a request, which counts as given.
  ///
  /// - Returns: `nil` where no stub answers.
  /// - Throws: `ExpensivePattern` where a regular expression can't decide in reasonable time.
  package func response(
    to request: MatchableRequest, url: String
  ) throws(ExpensivePattern) -> StubResponse? {
    // What a pattern says does not change; only the state does, which is looked at under the lock.
    var matching: [Int] = []
    for index in mappings.indices where try mappings[index].request.matches(request) {
      matching.append(index)
    }
    let candidates = archives.map {
      $0.candidates(method: request.method, url: url, body: request.body)
    }
    return memory.withLock { memory in
      if let index = matching.first(where: { isInState(mappings[$0], memory) }) {
        return answer(index, &memory)
      }
      return replay(candidates, &memory)
    }
  }

  private func isInState(_ mapping: StubMapping, _ memory: Memory) -> Bool {
    guard let state = mapping.state, let required = state.required else { return true }
    return (memory.states[state.scenarioName] ?? StubMapping.State.started) == required
  }

  private func answer(_ index: Int, _ memory: inout Memory) -> StubResponse? {
    let mapping = mappings[index]
    let count = memory.answers[index, default: 0]
    memory.answers[index] = count + 1
    if let state = mapping.state, let new = state.new { memory.states[state.scenarioName] = new }
    return mapping.responses[min(count, mapping.responses.count - 1)]
  }

  private func replay(_ candidates: [[Int]], _ memory: inout Memory) -> StubResponse? {
    for (place, entries) in candidates.enumerated() {
      guard let first = entries.first else { continue }
      let count = memory.replays[[place, first], default: 0]
      memory.replays[[place, first]] = count + 1
      return archives[place].response(at: entries[min(count, entries.count - 1)])
    }
    return nil
  }
}
