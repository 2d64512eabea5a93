import Foundation
import ScenarioCore

/// What a launch tried to send past the kit, and what each call is answered.
struct AttemptLog {
  enum Answer: Equatable {
    case refuse
    /// A connection to a name server seems to be made, so that the name is in the packet that follows.
    case pretend

    var errorNumber: Int32 { self == .pretend ? 0 : ENETUNREACH }
  }

  private struct Key: Hashable {
    var program: String
    var transport: String
    var host: String?
    var port: Int?
    /// The action's number; -1 for the launch, -2 for the end.
    var cause: Int
  }

  private struct Entry {
    var attempt: NetworkAttempt
    /// Whether it is a `connect` by UDP, by which nothing was sent yet.
    var isDatagramConnect = false
    var query: DNSQuery?
  }

  /// A socket that seems to be connected to a name server.
  private struct Lookup {
    var process: Int32
    var entry: (Key, Entry)
  }

  /// More different attempts than that are counted with the last of them.
  private static let limit = 100
  private static let nameServerPort = 53
  /// DNS, and its variants for the local network.
  private static let namePorts: Set = [nameServerPort, 5353, 5355]

  private let searchDomains: SearchDomains
  private var order: [Key] = []
  private var entries: [Key: Entry] = [:]
  private var lookups: [UInt64: Lookup] = [:]
  private var namedLookups: Set<Int32> = []

  init(searchDomains: SearchDomains = SearchDomains([])) { self.searchDomains = searchDomains }

  /// In the order in which they were first made.
  var attempts: [NetworkAttempt] {
    var log = self
    // A name server that was connected to, and never asked as far as can be seen.
    for (_, lookup) in lookups.sorted(by: { $0.key < $1.key })
    where !namedLookups.contains(lookup.process) {
      log.add(lookup.entry.1, lookup.entry.0)
    }
    return log.order.compactMap { key in
      guard let entry = log.entries[key], !log.isAddressSorting(key, entry) else { return nil }
      return entry.attempt
    }
  }

  mutating func note(_ call: RefusedCall, during cause: RequestCause) -> Answer {
    switch call.way {
    case .connect: return noteConnect(call, cause)
    case .send: noteSend(call, cause)
    case .socket: add(call, "socket of family \(call.family)", cause)
    case .foreign: add(call, "a 32-bit program's call", cause)
    }
    return .refuse
  }

  private mutating func noteConnect(_ call: RefusedCall, _ cause: RequestCause) -> Answer {
    guard call.isDatagram else {
      add(call, call.transport, cause)
      return .refuse
    }
    if call.port == Self.nameServerPort, let socket = call.socket {
      lookups[socket] = Lookup(
        process: call.process, entry: entry(call, call.transport, cause))
      return .pretend
    }
    var (key, entry) = entry(call, call.transport, cause)
    entry.isDatagramConnect = true
    add(entry, key)
    return .refuse
  }

  private mutating func noteSend(_ call: RefusedCall, _ cause: RequestCause) {
    let lookup = call.socket.flatMap { lookups[$0] }
    if lookup != nil || Self.namePorts.contains(call.port), let query = DNSQuery(call.payload) {
      if let socket = call.socket { lookups[socket] = nil }
      namedLookups.insert(call.process)
      add(query, of: call, cause)
    } else if call.address != nil || call.socketProtocol.isEmpty {
      add(call, call.transport, cause)
    }
    // What the system knows as a socket without a peer, it refuses itself without an address.
  }

  private mutating func add(_ query: DNSQuery, of call: RefusedCall, _ cause: RequestCause) {
    let name = searchDomains.removed(from: query.name)
    let attempt = NetworkAttempt(
      program: call.program, transport: "DNS", host: name, cause: cause)
    add(Entry(attempt: attempt, query: query), Self.key(attempt))
  }

  private mutating func add(_ call: RefusedCall, _ transport: String, _ cause: RequestCause) {
    let (key, entry) = entry(call, transport, cause)
    add(entry, key)
  }

  private mutating func add(_ new: Entry, _ key: Key) {
    guard var known = entries[key] else {
      guard order.count < Self.limit else {
        if let last = order.last { entries[last]?.attempt.count += 1 }
        return
      }
      order.append(key)
      entries[key] = new
      return
    }
    // Each of two name servers is asked twice, for addresses of both kinds: that is one lookup.
    let isSameLookup = new.query.map { $0.isRepetition(of: known.query) } ?? false
    if !isSameLookup {
      known.attempt.count += 1
      known.query = new.query
    }
    known.isDatagramConnect = known.isDatagramConnect && new.isDatagramConnect
    entries[key] = known
  }

  private func entry(
    _ call: RefusedCall, _ transport: String, _ cause: RequestCause
  ) -> (Key, Entry) {
    let attempt = NetworkAttempt(
      program: call.program.isEmpty ? "an unknown program" : call.program, transport: transport,
      host: call.address, port: call.port == 0 ? nil : call.port, cause: cause)
    return (Self.key(attempt), Entry(attempt: attempt))
  }

  private static func key(_ attempt: NetworkAttempt) -> Key {
    let cause =
      switch attempt.cause {
      case .launch: -1
      case .step(let step): step.id
      case .shutdown: -2
      }
    return Key(
      program: attempt.program, transport: attempt.transport, host: attempt.host,
      port: attempt.port, cause: cause)
  }

  /// Before a program connects, `getaddrinfo` connects by UDP to each address of a name, to learn which
  /// is nearest.
  private func isAddressSorting(_ key: Key, _ entry: Entry) -> Bool {
    var connected = key
    connected.transport = "TCP"
    return entry.isDatagramConnect && entries[connected] != nil
  }
}

extension RefusedCall {
  fileprivate var isDatagram: Bool { socketProtocol.hasPrefix("UDP") }

  /// Without the version of the address: "TCP", not "TCPv6".
  fileprivate var transport: String {
    if socketProtocol.isEmpty { return "socket" }
    return socketProtocol.hasSuffix("v6") ? String(socketProtocol.dropLast(2)) : socketProtocol
  }
}
