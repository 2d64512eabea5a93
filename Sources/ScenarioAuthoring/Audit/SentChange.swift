import Foundation
import HarnessProtocol
import JSON
import RequestMatching
import ScenarioCore

/// One change of what an app sent, which a scenario that is strong enough notices.
package struct SentChange: Sendable {
  package enum Kind: Sendable, Hashable {
    case dropped
    case doubled
    /// Another action sent it.
    case moved
    case parameterChanged(String)
    case parameterLost(String)
    case headerChanged(String)
    /// A member of a JSON body or of an event, by its path; `[*]` stands for any element of a list.
    case memberChanged(String)
    case memberLost(String)
    /// A body that isn't JSON.
    case bodyChanged
  }

  package var kind: Kind
  /// The event that is changed, as it was sent.
  var event: AnalyticsEvent?
  /// What takes its place wherever it is sent again; `nil` where that stays as it is.
  var repetition: [AnalyticsEvent]?
  /// What takes the place of the request: nothing, or requests with their events.
  var replacement: [TracedRequest]

  /// A later request after the change, with its events; `nil` where that is gone.
  func applied(to later: TracedRequest) -> TracedRequest? {
    guard let event, let id = event.id, let repetition else { return later }
    let events = later.events.flatMap {
      $0.decoder == event.decoder && $0.id == id ? repetition : [$0]
    }
    return events.isEmpty && !later.events.isEmpty ? nil : later.with(events)
  }
}

extension SentChange {
  /// So many members of a body or an event are changed.
  static let memberLimit = 200

  /// All changes of a request; where it has events, of those that weren't sent before.
  ///
  /// - Parameters:
  ///   - judged: its events, as they count.
  ///   - isNamed: whether an expectation names the request itself.
  ///   - other: the id of another action that could have sent it.
  ///   - volatile: the parameters whose values don't matter.
  static func all(
    of traced: TracedRequest, _ judged: [TracedEvent], isNamed: Bool, otherAction other: Int?,
    ignoring volatile: VolatileParameters, decoders: [EventDecoder]
  ) -> [SentChange] {
    if !traced.events.isEmpty {
      let events = judged.indices.filter { !judged[$0].isRetry }.flatMap { index in
        let decoder = decoders.first { $0.name == traced.events[index].decoder }
        return all(ofEvent: index, of: traced, otherAction: other, decoder)
      }
      // Whoever names only events doesn't mind how they travel.
      let carriers = isNamed ? headers(of: traced.request) : []
      return events + carriers.map { SentChange(kind: $0, replacement: [traced.with($1)]) }
    }
    let request = traced.request
    func change(_ kind: Kind, _ requests: RecordedRequest...) -> SentChange {
      SentChange(kind: kind, replacement: requests.map(traced.with))
    }
    var changes = [change(.dropped), change(.doubled, request, request)]
    if let other, request.action != nil {
      var moved = request
      moved.action = other
      changes.append(change(.moved, moved))
    }
    return changes
      + (parameters(of: request, volatile) + headers(of: request) + body(of: request)).map {
        change($0, $1)
      }
  }

  // MARK: - Parts of a request

  private typealias Part = (Kind, RecordedRequest)

  private static func parameters(
    of request: RecordedRequest, _ volatile: VolatileParameters
  ) -> [Part] {
    let url = RequestURL(request.url)
    let items = url.queryItems
    return items.indices.filter { !volatile.contains(items[$0].name) }.flatMap { index -> [Part] in
      let name = String(decoding: items[index].name, as: UTF8.self)
      let raws = items.map { String(decoding: $0.raw, as: UTF8.self) }
      var (changed, lost) = (raws, raws)
      changed[index] += raws[index].contains("=") ? "~" : "=~"
      lost.remove(at: index)
      return [
        (.parameterChanged(name), request.with(query: changed, in: url)),
        (.parameterLost(name), request.with(query: lost, in: url)),
      ]
    }
  }

  private static func headers(of request: RecordedRequest) -> [Part] {
    request.headers.keys.sorted().map { name in
      var changed = request
      changed.headers[name]? += "~"
      return (.headerChanged(name), changed)
    }
  }

  private static func body(of request: RecordedRequest) -> [Part] {
    let matchable = MatchableRequest(request)
    guard let body = request.body, !body.isEmpty, matchable.decodedBody.problem == nil else {
      return []
    }
    var plain = request
    plain.headers = plain.headers.filter { $0.key.lowercased() != "content-encoding" }
    func with(_ bytes: [UInt8]) -> RecordedRequest {
      var changed = plain
      changed.body = bytes
      return changed
    }
    if let json = matchable.bodyJSON, json.array != nil || json.object != nil {
      return json.memberChanges.map { ($0, with($1.bytes())) }
    }
    return [(.bodyChanged, with(matchable.decodedBody.bytes + [UInt8(ascii: "~")]))]
  }

  // MARK: - Events

  private static func all(
    ofEvent index: Int, of traced: TracedRequest, otherAction other: Int?,
    _ decoder: EventDecoder?
  ) -> [SentChange] {
    let event = traced.events[index]
    func change(_ kind: Kind, _ events: [AnalyticsEvent]) -> SentChange {
      var all = traced.events
      all.replaceSubrange(index...index, with: events)
      // Without its last event the request is gone.
      let sent = all.isEmpty ? [] : [traced.with(all)]
      return SentChange(kind: kind, event: event, repetition: events, replacement: sent)
    }
    var second = event
    second.id? += "~"
    var changes = [change(.dropped, []), change(.doubled, [event, second])]
    if let other { changes.append(moved(event, at: index, of: traced, to: other)) }
    return changes
      + event.value.memberChanges.compactMap { kind, value in
        // Without a name it is no event, which is an error.
        guard let decoder, let name = decoder.name(of: value) else { return nil }
        var changed = event
        (changed.name, changed.value, changed.essence) = (name, value, decoder.essence(of: value))
        return changed.essence == event.essence ? nil : change(kind, [changed])
      }
  }

  /// The event in a request of its own, which another action sent.
  private static func moved(
    _ event: AnalyticsEvent, at index: Int, of traced: TracedRequest, to action: Int
  ) -> SentChange {
    var (rest, event, carrier) = (traced.events, event, traced)
    rest.remove(at: index)
    (event.time, carrier.request.action) = (nil, action)
    return SentChange(
      kind: .moved, event: traced.events[index],
      replacement: (rest.isEmpty ? [] : [traced.with(rest)]) + [carrier.with([event])])
  }
}

extension TracedRequest {
  fileprivate func with(_ request: RecordedRequest) -> TracedRequest {
    var changed = self
    changed.request = request
    return changed
  }

  fileprivate func with(_ events: [AnalyticsEvent]) -> TracedRequest {
    var changed = self
    changed.events = events
    return changed
  }
}

extension RecordedRequest {
  fileprivate func with(query items: [String], in url: RequestURL) -> RecordedRequest {
    var changed = self
    let rest = url.fragment.map { "#" + String(decoding: $0, as: UTF8.self) } ?? ""
    let query = items.isEmpty ? "" : "?" + items.joined(separator: "&")
    changed.url = String(decoding: url.upToPath, as: UTF8.self) + query + rest
    return changed
  }
}

extension JSONValue {
  /// The value with one leaf changed or lost, for each of its leaves.
  fileprivate var memberChanges: [(SentChange.Kind, JSONValue)] {
    leafChanges("$").prefix(SentChange.memberLimit).flatMap { path, changed, lost in
      [(.memberChanged(path), changed)] + (lost.map { [(.memberLost(path), $0)] } ?? [])
    }
  }

  private func leafChanges(
    _ path: String
  ) -> [(path: String, changed: JSONValue, lost: JSONValue?)] {
    switch self {
    case .object(let object) where !object.isEmpty:
      return object.members.flatMap { member in
        member.value.leafChanges("\(path).\(member.key)").map { inner in
          var (changed, lost) = (object, object)
          changed[member.key] = inner.changed
          lost[member.key] = inner.lost
          return (inner.path, .object(changed), .object(lost))
        }
      }
    case .array(let elements) where !elements.isEmpty:
      return elements.indices.flatMap { index in
        elements[index].leafChanges("\(path)[*]").map { inner in
          var (changed, lost) = (elements, elements)
          changed[index] = inner.changed
          if let rest = inner.lost { lost[index] = rest } else { lost.remove(at: index) }
          return (inner.path, .array(changed), .array(lost))
        }
      }
    case .string(let text): return [(path, .string(text + "~"), nil)]
    case .number, .null, .object, .array: return [(path, "~", nil)]
    case .bool(let value): return [(path, .bool(!value), nil)]
    }
  }
}
