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

  private struct Entry {
    var attempt: NetworkAttempt
    /// Whether it is a `connect` by UDP, by which nothing was sent yet.
    var isDatagramConnect = false
    var query: DNSQuery?
  }

  /// A socket that seems to be connected to a name server.
  private struct Lookup {
    var process: Int32
    var attempt: NetworkAttempt
  }

  /// More different attempts than that are counted with the last of them.
  private static let limit = 100
  private static let nameServerPort = 53
  /// DNS, and its variants for the local network.
  private static let namePorts: Set = [nameServerPort, 5353, 5355]

  private let searchDomains: SearchDomains
  /// In the order in which they were first made, each once.
  private var entries: [Entry] = []
  private var lookups: [UInt64: Lookup] = [:]
  private var namedLookups: Set<Int32> = []

  init(searchDomains: SearchDomains = SearchDomains([])) { self.searchDomains = searchDomains }

  /// In the order in which they were first made.
  var attempts: [NetworkAttempt] {
    var log = self
    // A name server that was connected to, and never asked as far as can be seen.
    for (_, lookup) in lookups.sorted(by: { $0.key < $1.key })
    where !namedLookups.contains(lookup.process) {
      log.add(Entry(attempt: lookup.attempt))
    }
    return log.entries.filter { !log.isAddressSorting($0) }.map(\.attempt)
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
    let attempt = NetworkAttempt(call, call.transport, cause)
    if call.isDatagram, call.port == Self.nameServerPort, let socket = call.socket {
      lookups[socket] = Lookup(process: call.process, attempt: attempt)
      return .pretend
    }
    add(Entry(attempt: attempt, isDatagramConnect: call.isDatagram))
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
    let attempt = NetworkAttempt(program: call.program, transport: "DNS", host: name, cause: cause)
    add(Entry(attempt: attempt, query: query))
  }

  private mutating func add(_ call: RefusedCall, _ transport: String, _ cause: RequestCause) {
    add(Entry(attempt: NetworkAttempt(call, transport, cause)))
  }

  private mutating func add(_ new: Entry) {
    guard let place = entries.firstIndex(where: { $0.attempt.isSame(as: new.attempt) }) else {
      if entries.count < Self.limit {
        entries.append(new)
      } else {
        entries[entries.count - 1].attempt.count += 1
      }
      return
    }
    // Each of two name servers is asked twice, for addresses of both kinds: that is one lookup.
    let isSameLookup = new.query?.isRepetition(of: entries[place].query) ?? false
    if !isSameLookup {
      entries[place].attempt.count += 1
      entries[place].query = new.query
    }
    if !new.isDatagramConnect { entries[place].isDatagramConnect = false }
  }

  /// Before a program connects, `getaddrinfo` connects by UDP to each address of a name, to learn which
  /// is nearest.
  private func isAddressSorting(_ entry: Entry) -> Bool {
    var connected = entry.attempt
    connected.transport = "TCP"
    return entry.isDatagramConnect && entries.contains { $0.attempt.isSame(as: connected) }
  }
}

extension NetworkAttempt {
  fileprivate init(_ call: RefusedCall, _ transport: String, _ cause: RequestCause) {
    self.init(
      program: call.program.isEmpty ? "an unknown program" : call.program, transport: transport,
      host: call.address, port: call.port == 0 ? nil : call.port, cause: cause)
  }

  /// Whether both differ in nothing but how often they were made.
  fileprivate func isSame(as other: NetworkAttempt) -> Bool {
    program == other.program && transport == other.transport && host == other.host
      && port == other.port && cause.number == other.cause.number
  }
}

extension RequestCause {
  /// The action's number; -1 for the launch, -2 for the end.
  fileprivate var number: Int {
    switch self {
    case .launch: -1
    case .step(let step): step.id
    case .shutdown: -2
    }
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
