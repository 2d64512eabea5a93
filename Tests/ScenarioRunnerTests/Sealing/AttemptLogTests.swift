import ScenarioCore
import Testing

@testable import ScenarioRunner

@Suite("What a launch tried to send past the kit")
struct AttemptLogTests {
  /// A query for a name, as a C library sends it.
  private func query(_ name: String, id: UInt8 = 7, type: UInt8 = 1) -> [UInt8] {
    let labels = name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    return [0, id, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0] + labels + [0, 0, type, 0, 1]
  }

  private func call(
    _ way: RefusedCall.Way, _ socketProtocol: String, _ address: String? = nil, port: Int = 0,
    socket: UInt64 = 1, payload: [UInt8] = [], process: Int32 = 5
  ) -> RefusedCall {
    RefusedCall(
      way: way, process: process, program: "app", socketProtocol: socketProtocol, socket: socket,
      address: address, port: port, payload: payload, family: 2)
  }

  private func told(_ log: AttemptLog) -> [String] {
    log.attempts.map { "\($0.target) × \($0.count)" }
  }

  @Test("is told once for each target, with a count")
  func counts() {
    var log = AttemptLog()
    for port in [80, 443, 80] {
      #expect(log.note(call(.connect, "TCP", "10.0.0.1", port: port), during: .launch) == .refuse)
    }
    _ = log.note(call(.send, "UDPv6", "::1", port: 9), during: .launch)
    #expect(
      told(log) == [
        "10.0.0.1 port 80 (TCP) × 2", "10.0.0.1 port 443 (TCP) × 1", "::1 port 9 (UDP) × 1",
      ])
  }

  @Test("a lookup counts once, however many packets it takes")
  func lookups() {
    var log = AttemptLog()
    let packets: [(UInt64, UInt8, UInt8)] = [(1, 7, 1), (1, 8, 28), (2, 7, 1), (2, 8, 28)]
    for (socket, id, type) in packets {
      let connect = call(.connect, "UDP", "10.0.0.53", port: 53, socket: socket)
      #expect(log.note(connect, during: .launch) == .pretend)
      let packet = query("ads.example.com", id: id, type: type)
      let send = call(.send, "UDP", socket: socket, payload: packet)
      #expect(log.note(send, during: .launch) == .refuse)
    }
    #expect(told(log) == ["ads.example.com (DNS) × 1"])
    let again = call(
      .send, "UDP", "10.0.0.53", port: 53, payload: query("ads.example.com", id: 99))
    _ = log.note(again, during: .launch)
    #expect(told(log) == ["ads.example.com (DNS) × 2"])
  }

  @Test("a name server that is asked what can't be read is told by its address")
  func unreadable() {
    var log = AttemptLog()
    let connect = call(.connect, "UDP", "10.0.0.53", port: 53)
    #expect(log.note(connect, during: .launch) == .pretend)
    _ = log.note(call(.send, "UDP", payload: [1, 2, 3]), during: .launch)
    #expect(told(log) == ["10.0.0.53 port 53 (UDP) × 1"])
  }

  @Test("the domains that the C library appends are taken off")
  func searchDomains() {
    var log = AttemptLog(searchDomains: SearchDomains(["svc.cluster.local", "corp.example."]))
    for name in ["a.example", "a.example.svc.cluster.local", "a.example.CORP.example"] {
      _ = log.note(
        call(.send, "UDP", "10.0.0.53", port: 53, payload: query(name)), during: .launch)
    }
    #expect(told(log) == ["a.example (DNS) × 1"])
  }

  @Test("getaddrinfo's look at addresses that a program then connects to is left out")
  func sorting() {
    var log = AttemptLog()
    for transport in ["UDP", "TCP"] {
      _ = log.note(call(.connect, transport, "127.0.0.1", port: 80), during: .launch)
    }
    _ = log.note(call(.connect, "UDP", "127.0.0.1", port: 81), during: .launch)
    #expect(told(log) == ["127.0.0.1 port 80 (TCP) × 1", "127.0.0.1 port 81 (UDP) × 1"])
  }

  @Test("a query that is cut off, empty or an answer is none", arguments: [0, 12, 16, 20])
  func malformed(length: Int) {
    #expect(DNSQuery(Array(query("ads.example.com").prefix(length))) == nil)
    var answer = query("ads.example.com")
    answer[2] |= 0x80
    #expect(DNSQuery(answer) == nil)
    #expect(DNSQuery(query("")) == nil)
    #expect(DNSQuery([UInt8](repeating: 0xC0, count: 40)) == nil)
    #expect(DNSQuery(query("a\u{7}b.c"))?.name == "a?b.c")
  }

  @Test("floods stay small")
  func flood() {
    var log = AttemptLog()
    for port in 1...1000 {
      _ = log.note(call(.connect, "TCP", "10.0.0.1", port: port), during: .launch)
    }
    #expect(log.attempts.count == 100)
    #expect(log.attempts.map(\.count).reduce(0, +) == 1000)
  }
}
