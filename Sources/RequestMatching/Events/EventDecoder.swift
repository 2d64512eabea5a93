import Foundation
import JSON
import SourceText

/// Finds the analytics events in a request.
package struct EventDecoder: Sendable {
  /// As expectations name it under `in`.
  package var name: String
  /// Which requests it looks at.
  package var request: RequestPattern
  package var layout: EventLayout
  /// Where a file names it.
  package var location: SourceLocation?
  /// Whether the configuration names it, for all scenarios.
  package var isOfProject = false

  package init(name: String, request: RequestPattern, layout: EventLayout) {
    self.name = name
    self.request = request
    self.layout = layout
  }
}

/// Where events are in a request, and what of an event is its name, its id and its time.
package struct EventLayout: Sendable {
  /// Names of members that hold JSON in Base64.
  package var base64: Set<String> = []
  /// Whether the body of a form is an object of its fields, not text.
  package var readsForms = true
  /// The events of a document.
  package var events: Events = .request
  /// Paths into an event.
  package var name: [JSONPath]
  package var id: JSONPath?
  package var time: [JSONPath] = []
  /// What makes no difference between two events.
  package var ignored: [JSONPath] = []

  package enum Events: Sendable {
    /// The request is one event.
    case request
    case path(JSONPath)
    /// A protocol whose events aren't simply at a path.
    case built(@Sendable (JSONValue) -> [JSONValue])

    /// Whether more than the query and the body of a request may matter.
    var areOfWholeRequest: Bool {
      switch self {
      case .request: true
      case .path(let path): !path.beginsWithBody
      case .built: false
      }
    }
  }

  package init(name: [JSONPath]) { self.name = name }
}

/// One event of a request.
package struct AnalyticsEvent: Sendable, Equatable {
  /// The decoder that found it.
  package var decoder: String
  package var name: String
  package var id: String?
  /// When it was tracked, by the app's clock.
  package var time: EventTime?
  /// The event as its decoder found it.
  package var value: JSONValue
  /// Which of the request's events it is, from 1.
  package var number: Int
  /// How many the request has.
  package var count: Int
  /// The event without what makes no difference.
  package var essence: JSONValue
}

/// A moment that an app wrote: no finer than what it wrote.
package struct EventTime: Sendable, Equatable {
  /// Seconds since 1970.
  package var seconds: Double
  /// What the text doesn't say: 0.001 for milliseconds, 1 for whole seconds.
  package var resolution: Double

  package init(seconds: Double, resolution: Double) {
    self.seconds = seconds
    self.resolution = resolution
  }
}

/// What a decoder can't make of a request that it looks at.
package enum EventFault: Error, Sendable, Equatable {
  /// The body can't be decoded, so that nobody knows its events.
  case undecodableBody(problem: String)
  /// An event has no name, or one that isn't a string.
  case missingName(number: Int)
  /// A key of the JSON around the events is there twice.
  case doubledKey(String)
  /// A path finds several names, ids or times in an event.
  case doubledMember(number: Int, path: String)
  /// The id is neither a string nor a number.
  case unreadableID(number: Int)
  /// The time is neither ISO 8601 nor a number.
  case unreadableTime(number: Int, text: String)
  case doubt(MatchingDoubt)
}

extension EventDecoder {
  /// The events of a request, in their order.
  ///
  /// - Parameter request: one that the decoder looks at.
  package func events(in request: MatchableRequest) throws(EventFault) -> [AnalyticsEvent] {
    let document = RequestDocument(
      request, decoding: layout.base64, readingForms: layout.readsForms,
      isWhole: layout.events.areOfWholeRequest)
    if let problem = document.problem { throw .undecodableBody(problem: problem) }
    let found = try values(in: document.value)
    var events: [AnalyticsEvent] = []
    for (index, value) in found.enumerated() {
      events.append(try event(value, number: index + 1, of: found.count))
    }
    return events
  }

  /// The events of any request; none where the decoder doesn't look at it, or can't read it.
  package func readableEvents(in request: MatchableRequest) -> [AnalyticsEvent] {
    guard (try? self.request.matches(request)) == true else { return [] }
    return (try? events(in: request)) ?? []
  }

  private func values(in document: JSONValue) throws(EventFault) -> [JSONValue] {
    switch layout.events {
    case .request: return [document]
    case .path(let path): return try Self.values(at: path, in: document)
    case .built(let find):
      // The request, its body, a list of events, an event.
      if let key = document.doubledKey(inLevels: 4) { throw .doubledKey(key) }
      return find(document)
    }
  }

  private func event(
    _ value: JSONValue, number: Int, of count: Int
  ) throws(EventFault) -> AnalyticsEvent {
    guard let name = try Self.first(of: layout.name, in: value, number)?.string else {
      throw .missingName(number: number)
    }
    return AnalyticsEvent(
      decoder: self.name, name: name, id: try id(of: value, number),
      time: try time(of: value, number), value: value, number: number, count: count,
      essence: essence(of: value))
  }

  /// What of an event makes a difference.
  package func essence(of event: JSONValue) -> JSONValue {
    layout.ignored.reduce(event) { $0.removing($1.names ?? []) }
  }

  /// The name of an event; `nil` where it has none that can be read.
  package func name(of event: JSONValue) -> String? {
    (try? Self.first(of: layout.name, in: event, 1))?.string
  }

  private func id(of event: JSONValue, _ number: Int) throws(EventFault) -> String? {
    guard let path = layout.id, let value = try Self.first(of: [path], in: event, number) else {
      return nil
    }
    switch value {
    case .string(let text) where !text.isEmpty: return text
    case .number(let number): return number.text
    default: throw .unreadableID(number: number)
    }
  }

  private func time(of event: JSONValue, _ number: Int) throws(EventFault) -> EventTime? {
    guard let value = try Self.first(of: layout.time, in: event, number) else { return nil }
    guard let time = EventTime(value) else {
      throw .unreadableTime(number: number, text: value.text())
    }
    return time
  }

  /// What the first path finds that finds something other than `null`.
  private static func first(
    of paths: [JSONPath], in value: JSONValue, _ number: Int
  ) throws(EventFault) -> JSONValue? {
    for path in paths {
      let found = try values(at: path, in: value)
      if found.count > 1, path.isSingular {
        throw .doubledMember(number: number, path: path.text)
      }
      if let first = found.first(where: { !$0.isNull }) { return first }
    }
    return nil
  }

  private static func values(
    at path: JSONPath, in value: JSONValue
  ) throws(EventFault) -> [JSONValue] {
    do throws(MatchingDoubt) {
      return try path.values(in: value)
    } catch {
      throw .doubt(error)
    }
  }
}

extension JSONPath {
  fileprivate var beginsWithBody: Bool {
    guard let first = segments.first, !first.isDescendant, first.selectors.count == 1,
      case .name("body") = first.selectors[0]
    else { return false }
    // A filter may look at the whole from anywhere.
    return names != nil || !text.contains("?")
  }

  /// The names that it leads through, where it has nothing else.
  package var names: [String]? {
    var names: [String] = []
    for segment in segments {
      guard !segment.isDescendant, segment.selectors.count == 1,
        case .name(let name) = segment.selectors[0]
      else { return nil }
      names.append(name)
    }
    return names
  }
}

extension JSONValue {
  /// A key that an object has twice, on the first levels of objects and lists.
  fileprivate func doubledKey(inLevels levels: Int) -> String? {
    guard levels > 0 else { return nil }
    switch self {
    case .array(let elements):
      return elements.lazy.compactMap { $0.doubledKey(inLevels: levels - 1) }.first
    case .object(let object) where object.hasDuplicateKeys: return object.duplicateKeys.first
    case .object(let object):
      return object.members.lazy.compactMap { $0.value.doubledKey(inLevels: levels - 1) }.first
    default: return nil
    }
  }

  /// The same without the member that these names lead to.
  fileprivate func removing(_ names: some Collection<String>) -> JSONValue {
    guard let name = names.first, case .object(var object) = self, let value = object[name] else {
      return self
    }
    object[name] = names.count == 1 ? nil : value.removing(Array(names.dropFirst()))
    return .object(object)
  }
}

extension EventTime {
  /// Reads ISO 8601, or a number of seconds, milliseconds or microseconds since 1970, which may be a text.
  ///
  /// - Returns: `nil` where it is neither.
  package init?(_ value: JSONValue) {
    switch value {
    case .number(let number): self.init(number: number.text)
    case .string(let text):
      if let time = EventTime(number: text) { self = time } else { self.init(iso8601: text) }
    default: return nil
    }
  }

  private init?(number text: String) {
    guard let parts = text.wholeMatch(of: /\d+(?:\.(\d+))?(?:[eE]([+-]?\d+))?/)?.output,
      let number = Double(text), number.isFinite
    else { return nil }
    // Of 1.76723e9, what is left out are thousands.
    let last = pow(10, Double(parts.2.flatMap { Int($0) } ?? 0) - Double(parts.1?.count ?? 0))
    // The sizes of today's dates: 10 digits are seconds until 2286, 13 milliseconds, 16 microseconds.
    switch number {
    case ..<1e11: self.init(seconds: number, resolution: last)
    case ..<1e14: self.init(seconds: number / 1e3, resolution: max(1, last) / 1e3)
    default: self.init(seconds: number / 1e6, resolution: max(1, last) / 1e6)
    }
  }

  private init?(iso8601 text: String) {
    let digits = text.firstMatch(of: /[.,](\d+)/)?.1 ?? ""
    let plain = text.replacing(/[.,]\d+/, with: "", maxReplacements: 1)
    guard let date = try? Date.ISO8601FormatStyle().parse(plain) else { return nil }
    self.init(
      seconds: date.timeIntervalSince1970 + (Double("0." + digits) ?? 0),
      resolution: pow(10, -Double(digits.count)))
  }
}
