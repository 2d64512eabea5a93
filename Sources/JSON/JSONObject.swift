/// The members of a JSON object in the order in which they were written.
///
/// A key that is there more than once is kept as often; of such members the last one counts, as in
/// most servers' parsers.
public struct JSONObject: Sendable {
  public struct Member: Sendable {
    public var key: String
    public var value: JSONValue

    public init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  public private(set) var members: [Member]
  /// The indexes of the members of each key; empty where looking through all is quicker.
  private var places: [ByteText: [Int]]

  private static let smallCount = 16

  public init(_ members: [Member] = []) {
    self.members = members
    places = Self.places(of: members)
  }

  /// Leaves out what is `nil`.
  public init(_ members: some Sequence<(String, JSONValue?)>) {
    self.init(members.compactMap { key, value in value.map { Member(key, $0) } })
  }

  private static func places(of members: [Member]) -> [ByteText: [Int]] {
    guard members.count > smallCount else { return [:] }
    return Dictionary(grouping: members.indices) { ByteText(members[$0].key) }
  }
}

extension JSONObject {
  /// Setting replaces the value where it stands, or appends it; `nil` removes the key.
  public subscript(key: String) -> JSONValue? {
    get { index(of: key).map { members[$0].value } }
    set {
      switch (newValue, index(of: key)) {
      case (let value?, let index?): members[index].value = value
      case (let value?, nil): append(key, value)
      case (nil, _?): self = JSONObject(members.filter { !$0.key.hasSameBytes(as: key) })
      case (nil, nil): break
      }
    }
  }

  /// The values of a key, in the order in which they are written.
  package func values(of key: String) -> [JSONValue] {
    guard places.isEmpty else { return (places[ByteText(key)] ?? []).map { members[$0].value } }
    guard let last = index(of: key) else { return [] }
    // As nearly always.
    if !members[..<last].contains(where: { $0.key.hasSameBytes(as: key) }) {
      return [members[last].value]
    }
    return members.filter { $0.key.hasSameBytes(as: key) }.map(\.value)
  }

  /// Appends a member without looking whether the key is there.
  public mutating func append(_ key: String, _ value: JSONValue) {
    members.append(Member(key, value))
    if places.isEmpty {
      places = Self.places(of: members)
    } else {
      places[ByteText(key), default: []].append(members.count - 1)
    }
  }

  /// The members of both, one after the other.
  package static func + (left: JSONObject, right: JSONObject) -> JSONObject {
    JSONObject(left.members + right.members)
  }

  public var isEmpty: Bool { members.isEmpty }
  public var count: Int { members.count }
  public var keys: [String] { members.map(\.key) }

  /// The keys that are there more than once, each named once, sorted.
  package var duplicateKeys: [String] {
    var duplicates: [String] = []
    let sorted = sortedMembers
    for (left, right) in zip(sorted, sorted.dropFirst()) where left.key.hasSameBytes(as: right.key)
    {
      if let last = duplicates.last, last.hasSameBytes(as: left.key) { continue }
      duplicates.append(left.key)
    }
    return duplicates
  }

  package var hasDuplicateKeys: Bool {
    guard places.isEmpty else { return places.count < members.count }
    return members.indices.contains { index in
      members[..<index].contains { $0.key.hasSameBytes(as: members[index].key) }
    }
  }

  /// Sorted by the keys' bytes; members of one key stay in their order.
  package var sortedMembers: [Member] {
    members.indices.sorted { left, right in
      let (leftKey, rightKey) = (members[left].key, members[right].key)
      if leftKey.hasSameBytes(as: rightKey) { return left < right }
      return leftKey.utf8.lexicographicallyPrecedes(rightKey.utf8)
    }.map { members[$0] }
  }

  private func index(of key: String) -> Int? {
    guard places.isEmpty else { return places[ByteText(key)]?.last }
    return members.lastIndex { $0.key.hasSameBytes(as: key) }
  }
}

extension JSONObject: Hashable {
  /// Whether both have the same members, in whatever order; where a key is there more than once, its
  /// values must be the same in the same order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    guard left.count == right.count else { return false }
    let isSameOrder = left.members.indices.allSatisfy { index in
      left.members[index].key.hasSameBytes(as: right.members[index].key)
    }
    if isSameOrder { return isEqual(left.members, right.members) }
    return isEqual(left.sortedMembers, right.sortedMembers)
  }

  /// Each value is compared once, and by a loop: values can be nested as deep as a stack allows.
  private static func isEqual(_ left: [Member], _ right: [Member]) -> Bool {
    for index in left.indices {
      guard left[index].key.hasSameBytes(as: right[index].key),
        left[index].value == right[index].value
      else { return false }
    }
    return true
  }

  public func hash(into hasher: inout Hasher) {
    for member in sortedMembers {
      hasher.combine(member.key)
      hasher.combine(member.value)
    }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Leaves out what is `nil`.
  public init(dictionaryLiteral elements: (String, JSONValue?)...) { self.init(elements) }
}
