import Foundation
import HarnessProtocol
import JSON
import RequestMatching

/// A request that somebody may have to answer for, with all that are like it.
struct StrayRequest: Sendable {
  var request: RecordedRequest
  /// Set where it is one event of that request.
  var event: AnalyticsEvent?
  var count = 0
  /// The first ones.
  var occurrences: [RequestOccurrence] = []
  /// The `sends` checks that it offends.
  var offended: [Int]
  /// Whether nothing names it.
  var isUnnamed: Bool
  /// Whether it has to be named.
  var isAccounted: Bool
  /// When it was sent, where expectations refer to each other.
  var moment: Moment?

  var action: Int? { request.action }
}

/// The stray requests of a scenario, those that are alike as one.
struct StrayRequests: Sendable {
  private(set) var told: [StrayRequest] = []
  /// Those beyond `FindingLimits.unexpectedRequests`, which are no longer told apart.
  private(set) var further: [Verification.Weight: UnexpectedRequest] = [:]
  private var places: [StrayKey: Int] = [:]
  private let details: [String]

  /// - Parameter details: the parts that patterns of the scenario look at, besides the URL.
  init(_ details: [String]) { self.details = details }

  /// - Parameter url: without volatile parameters.
  mutating func add(
    _ new: StrayRequest, url: [UInt8], _ occurrence: RequestOccurrence,
    _ weight: Verification.Weight
  ) {
    let key = StrayKey(new, url: url, details: details)
    if let place = places[key] {
      told[place].count += 1
      if told[place].occurrences.count < FindingLimits.occurrences {
        told[place].occurrences.append(occurrence)
      }
    } else if told.count < FindingLimits.unexpectedRequests {
      places[key] = told.count
      told.append(new)
      told[told.count - 1].count = 1
      told[told.count - 1].occurrences = [occurrence]
    } else {
      var more = further[weight] ?? UnexpectedRequest(count: 0, occurrences: [], distinctCount: 0)
      more.count += 1
      more.distinctCount += 1
      if more.occurrences.count < FindingLimits.occurrences { more.occurrences.append(occurrence) }
      further[weight] = more
    }
  }
}

extension Verification {
  mutating func addStray(_ new: StrayRequest) {
    var new = new
    new.moment = relationHistory.now?.from
    let url = volatile.removed(from: RequestURL(new.request.url)).bytes
    strays.add(new, url: url, occurrence(new.request, new.event), weight(of: new))
  }

  /// What a stray request is where nothing else explains it.
  enum Weight {
    case finding, warning, nothing
  }

  func weight(of stray: StrayRequest) -> Weight {
    if !stray.offended.isEmpty { return .finding }
    guard stray.isUnnamed, stray.isAccounted else { return .nothing }
    return switch scenario.unexpected {
    case .fail: .finding
    case .warn: .warning
    case .allow: .nothing
    }
  }
}

/// What makes two stray requests the same.
struct StrayKey: Hashable, Sendable {
  private let bytes: [UInt8]
  /// What an event says, where it is one, and the hash of that.
  private let essence: JSONValue?
  private let essenceHash: UInt64
  private let isUnnamed: Bool
  private let offended: [Int]

  /// - Parameter details: the parts that patterns of the scenario look at, besides the URL.
  init(_ stray: StrayRequest, url: [UInt8], details: [String]) {
    let request = stray.request
    var bytes = url
    for part in [request.method, request.action.map(String.init), request.answer?.rawValue] {
      bytes.append(0xFF)
      bytes.append(contentsOf: (part ?? "").utf8)
    }
    if let event = stray.event {
      bytes.append(contentsOf: event.decoder.utf8)
    }
    for name in details where stray.event == nil {
      for header in request.headers.sorted(by: { $0.key < $1.key })
      where header.key.lowercased() == name {
        bytes.append(0xFF)
        bytes.append(contentsOf: header.value.utf8)
      }
      bytes.append(0xFF)
    }
    bytes.append(0xFF)
    if stray.event == nil { bytes.append(contentsOf: request.body ?? []) }
    self.bytes = bytes
    essence = stray.event?.essence
    essenceHash = essence.map(JSONHash.hash) ?? 0
    // A parameter that is set aside in the URL may still decide about these.
    isUnnamed = stray.isUnnamed
    offended = stray.offended
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
    hasher.combine(essenceHash)
  }
}
