/// When the answers of an app's requests are delivered, and what becomes of them.
///
/// Under a schedule the kit holds every answer until the app is idle, then delivers one at a time. What the
/// schedule names is delivered in its order; what it doesn't name comes as soon as it can, in the order in
/// which it was asked for.
package struct Schedule: Sendable, Hashable {
  package enum Item: Sendable, Hashable {
    /// An answer, and what becomes of it.
    case answer(RequestName, AnswerFate)
    /// What follows comes after this action, by its id.
    case afterAction(Int)
    /// The app is killed and launched again, once all answers that this action asked for are delivered.
    case restartAfterAction(Int)
    /// The app is killed and launched again, once it has sent the request, before it is answered.
    case restartBefore(RequestName)
  }

  package var items: [Item]

  package init(_ items: [Item] = []) { self.items = items }

  /// Whether it does more than to order answers: then an app may well be in another state than a scenario
  /// expects.
  package var isDisturbing: Bool {
    items.contains { item in
      switch item {
      case .answer(_, let fate): fate != .delivered
      case .afterAction: false
      case .restartAfterAction, .restartBefore: true
      }
    }
  }
}

/// What becomes of an answer.
package enum AnswerFate: Sendable, Hashable {
  case delivered
  /// The server answers with this status.
  case status(Int)
  case timedOut
  case offline
  /// The server has got the request, but the app hears `networkConnectionLost`.
  case lost

  /// What `sweep faults` makes of each answer.
  package static let faults: [AnswerFate] = [.status(500), .timedOut, .offline, .lost]
}

/// A request by what it is: the method, the path or the absolute URL without its query, parameters that tell
/// it from others, and which of those that are so named it is.
package struct RequestName: Sendable, Hashable {
  package var method: String
  /// Begins with `/`, for any host, or is absolute.
  package var place: String
  /// Pairs as they stand in the query.
  package var parameters: [String]
  /// From 1, since the launch.
  package var occurrence: Int

  package init(method: String, place: String, parameters: [String] = [], occurrence: Int = 1) {
    self.method = method
    self.place = place
    self.parameters = parameters
    self.occurrence = occurrence
  }

  /// Whether a request is so named, whichever of them it is.
  package func names(_ request: AskedRequest) -> Bool {
    guard request.method == method else { return false }
    let place = self.place.utf8.first == UInt8(ascii: "/") ? request.path : request.urlWithoutQuery
    guard place.utf8.elementsEqual(self.place.utf8) else { return false }
    guard !parameters.isEmpty else { return true }
    let pairs = Set(request.parameters)
    return parameters.allSatisfy(pairs.contains)
  }
}

/// A request that an app has made, as far as a schedule tells it from others.
package struct AskedRequest: Sendable, Hashable {
  package var method: String
  package var url: String
  /// The id of the action that caused it.
  package var action: Int

  package init(method: String, url: String, action: Int) {
    self.method = method
    self.url = url
    self.action = action
  }

  package var urlWithoutQuery: String { String(url.prefix { $0 != "?" && $0 != "#" }) }

  package var path: String {
    let rest = urlWithoutQuery
    guard let scheme = rest.firstRange(of: "://") else { return rest }
    let path = rest[scheme.upperBound...].drop { $0 != "/" }
    return path.isEmpty ? "/" : String(path)
  }

  /// Pairs as they stand in the query.
  package var parameters: [String] {
    let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
    return query.split(separator: "&").map(String.init)
  }
}

// MARK: - Text

extension Schedule: CustomStringConvertible {
  /// Of a schedule that names nothing.
  private static let inOrder = "in order"
  /// A URL has no space, so that it holds neither of these.
  private static let (itemSeparator, fateSeparator) = ("; ", ": ")

  package var description: String {
    items.isEmpty
      ? Self.inOrder : items.map(\.description).joined(separator: Self.itemSeparator)
  }

  /// - Throws: `ScheduleFault`.
  package init(_ text: String) throws(ScheduleFault) {
    items = []
    if text == Self.inOrder { return }
    for part in text.split(separator: Self.itemSeparator, omittingEmptySubsequences: false) {
      items.append(try Item(String(part)))
    }
  }
}

/// A part of a schedule that can't be read.
package struct ScheduleFault: Error, CustomStringConvertible {
  package var part: String

  package var description: String { "\"\(part)\" isn't part of a schedule. Write \(grammar)." }

  /// What a schedule consists of.
  package var grammar: String {
    "what scenario-run sweep prints: \"GET /path?name=value\", with \" #2\" for the second such request and"
      + " \": 500\", \": timedOut\", \": offline\" or \": lost\" for what becomes of its answer; \"after"
      + " action 3\"; \"restart after action 3\"; \"restart before GET /path\"; with \"; \" between them; or"
      + " \"in order\" alone"
  }
}

extension Schedule.Item: CustomStringConvertible {
  package var description: String {
    switch self {
    case .answer(let name, .delivered): "\(name)"
    case .answer(let name, let fate): "\(name): \(fate)"
    case .afterAction(let action): "after action \(action)"
    case .restartAfterAction(let action): "restart after action \(action)"
    case .restartBefore(let name): "restart before \(name)"
    }
  }

  fileprivate init(_ text: String) throws(ScheduleFault) {
    func number(after prefix: String) -> Int? {
      guard text.hasPrefix(prefix), let number = Int(text.dropFirst(prefix.count)), number >= 0
      else { return nil }
      return number
    }
    if let action = number(after: "after action ") {
      self = .afterAction(action)
    } else if let action = number(after: "restart after action ") {
      self = .restartAfterAction(action)
    } else if text.hasPrefix("restart before ") {
      guard let name = RequestName(text.dropFirst("restart before ".count)) else {
        throw ScheduleFault(part: text)
      }
      self = .restartBefore(name)
    } else {
      let parts = text.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
      let fate = parts.count == 1 ? .delivered : AnswerFate(String(parts[1]))
      guard let name = RequestName(parts[0]), let fate else { throw ScheduleFault(part: text) }
      self = .answer(name, fate)
    }
  }
}

extension AnswerFate: CustomStringConvertible {
  package var description: String {
    switch self {
    case .delivered: "delivered"
    case .status(let status): "\(status)"
    case .timedOut: "timedOut"
    case .offline: "offline"
    case .lost: "lost"
    }
  }

  package init?(_ text: String) {
    switch text {
    case "timedOut": self = .timedOut
    case "offline": self = .offline
    case "lost": self = .lost
    default:
      guard let status = Int(text), (100...599).contains(status) else { return nil }
      self = .status(status)
    }
  }
}

extension RequestName: CustomStringConvertible {
  package var description: String {
    let query = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
    return "\(method) \(place)\(query)" + (occurrence == 1 ? "" : " #\(occurrence)")
  }

  fileprivate init?(_ text: Substring) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard (2...3).contains(words.count), !words[0].isEmpty, !words[1].isEmpty,
      words[0].allSatisfy({ $0.isASCII && $0.isLetter }),
      words[1].hasPrefix("/") || words[1].contains("://")
    else { return nil }
    method = String(words[0])
    let target = AskedRequest(method: method, url: String(words[1]), action: 0)
    place = target.urlWithoutQuery
    parameters = target.parameters
    occurrence = 1
    guard words.count == 3 else { return }
    guard words[2].hasPrefix("#"), let number = Int(words[2].dropFirst()), number > 0 else {
      return nil
    }
    occurrence = number
  }
}
