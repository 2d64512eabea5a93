import JSON
import RequestMatching

/// What the requests of two runs have in common, one for one, in the order of the first run.
struct RequestComparison {
  /// What was common; a part that was not is given up.
  private(set) var outlines: [RequestOutline] = []
  /// The names of query parameters with values that differed, or that only one run had.
  private(set) var volatileParameters: Set<String> = []

  /// - Returns: `nil` where one run sent another number of requests, or other ones.
  init?(_ first: [RequestOutline], _ second: [RequestOutline]) {
    guard first.count == second.count else { return nil }
    let pairs = Pairing(first, second, by: [Self.hasSamePath, Self.hasSameHost])
    for (outline, other) in zip(first, pairs.partners) {
      guard let other, let common = common(outline, other) else { return nil }
      outlines.append(common)
    }
  }

  private static func hasSamePath(_ left: RequestOutline, _ right: RequestOutline) -> Bool {
    left.method == right.method && left.segments == right.segments && left.names == right.names
  }

  private static func hasSameHost(_ left: RequestOutline, _ right: RequestOutline) -> Bool {
    left.method == right.method && left.segments.count == right.segments.count
      && left.segments.prefix(3) == right.segments.prefix(3)
  }

  private mutating func common(_ left: RequestOutline, _ right: RequestOutline) -> RequestOutline? {
    var common = left
    if left == right { return common }
    // Scheme and host never differ.
    guard left.fragment == right.fragment, left.segments.count == right.segments.count,
      left.segments.prefix(3) == right.segments.prefix(3), let body = body(left.body, right.body)
    else { return nil }
    common.segments = zip(left.segments, right.segments).map { $0 == $1 ? $0 : .any }
    common.body = body
    common.parameters = parameters(left.parameters ?? [], right.parameters ?? [])
    if left.parameters == nil, right.parameters == nil { common.parameters = nil }
    return common
  }

  private mutating func parameters(
    _ left: [RequestOutline.Parameter], _ right: [RequestOutline.Parameter]
  ) -> [RequestOutline.Parameter] {
    var rest = right
    var common: [RequestOutline.Parameter] = []
    for var parameter in left {
      if let place = rest.firstIndex(of: parameter) {
        rest.remove(at: place)
      } else if let name = parameter.name {
        rest.firstIndex { $0.name == name }.map { _ = rest.remove(at: $0) }
        volatileParameters.insert(name)
        parameter.isStable = false
      }
      common.append(parameter)
    }
    volatileParameters.formUnion(rest.compactMap(\.name))
    return common
  }

  private func body(_ left: RequestOutline.Body, _ right: RequestOutline.Body) -> RequestOutline
    .Body?
  {
    switch (left, right) {
    case (.none, .none): RequestOutline.Body.none
    case (.none, _), (_, .none): nil
    case (.json(let left), .json(let right)): .json(JSONPlaceholders.common(left, right))
    default: left == right ? left : .omitted(.volatileBody)
    }
  }
}

/// Which element of a list stands for which of another one: an equal one, or else one that is alike.
struct Pairing<Element: Equatable> {
  /// For each of the first list.
  private(set) var partners: [Element?]
  /// Those of the second list that stand for none.
  private(set) var rest: [Element]

  /// - Parameter likenesses: the nearest first.
  init(
    _ first: [Element], _ second: [Element], by likenesses: [(Element, Element) -> Bool]
  ) {
    partners = first.map { _ in nil }
    rest = second
    for isLike in [{ $0 == $1 }] + likenesses {
      for index in first.indices where partners[index] == nil {
        guard let place = rest.firstIndex(where: { isLike(first[index], $0) }) else { continue }
        partners[index] = rest.remove(at: place)
      }
    }
  }
}

extension RequestOutline {
  fileprivate var names: [String?] { (parameters ?? []).map(\.name) }
}

extension JSONValue {
  /// The value with something else for each text, number and so on in it.
  ///
  /// - Parameters:
  ///   - name: of the member that the value is of.
  ///   - change: is given the name of the member that a leaf is of, or that its list is of.
  func mapLeaves(
    _ name: String = "", _ change: (_ name: String, _ leaf: JSONValue) -> JSONValue
  ) -> JSONValue {
    switch self {
    case .array(let elements): .array(elements.map { $0.mapLeaves(name, change) })
    case .object: mapMembers { $1.mapLeaves($0, change) }
    case .null, .bool, .number, .string: change(name, self)
    }
  }

  /// The object with another value for each of its members; another value stays.
  func mapMembers(_ change: (_ name: String, _ value: JSONValue) -> JSONValue) -> JSONValue {
    guard let object else { return self }
    return .object(JSONObject(object.members.map { .init($0.key, change($0.key, $0.value)) }))
  }
}

/// What JsonUnit lets stand for values that aren't compared.
enum JSONPlaceholders {
  private static let ignore: JSONValue = "#{json-unit.ignore}"

  /// The value, with a placeholder for each part that differs.
  static func common(_ left: JSONValue, _ right: JSONValue) -> JSONValue {
    if left == right { return left }
    switch (left, right) {
    case (.array(let left), .array(let right)) where left.count == right.count:
      return .array(zip(left, right).map { common($0, $1) })
    case (.object(let left), .object(let right)) where Set(left.keys) == Set(right.keys):
      return .object(
        JSONObject(left.members.map { .init($0.key, common($0.value, right[$0.key] ?? .null)) }))
    default:
      let kind = kind(of: left)
      return kind == self.kind(of: right) ? kind : ignore
    }
  }

  /// The placeholder for any value of this kind.
  static func kind(of value: JSONValue) -> JSONValue {
    switch value {
    case .string: "#{json-unit.any-string}"
    case .number: "#{json-unit.any-number}"
    case .bool: "#{json-unit.any-boolean}"
    case .null, .array, .object: ignore
    }
  }
}
