import HarnessProtocol
import ScenarioCore
import Testing

@Suite("A trace")
struct TraceTests {
  @Test("has each request at the action that caused it, and the rest by itself")
  func causes() {
    var trace = Trace(.requests)
    trace.begin(.launch, id: 0)
    trace.begin(.shutdown, id: 3)
    for action in [0, 3, nil, 7] {
      trace.add(RecordedRequest(url: "https://a.example/\(action ?? -1)", action: action))
    }
    #expect(trace.actions.map { $0.requests.map(\.number) } == [[1], [2]])
    #expect(trace.unattributed.map(\.number) == [3, 4])
    #expect(trace.requests.map(\.number) == [1, 2, 3, 4])
  }

  @Test("keeps no request where nobody asked, and counts those beyond its limit")
  func limits() {
    var silent = Trace()
    silent.add(RecordedRequest(url: "https://a.example/"))
    #expect(silent.requests.isEmpty)
    var trace = Trace(.all)
    for _ in 0..<(Trace.requestLimit + 2) {
      trace.add(RecordedRequest(url: "https://a.example/"))
    }
    #expect(trace.requests.count == Trace.requestLimit)
    #expect(trace.omittedRequests == 2)
  }
}
