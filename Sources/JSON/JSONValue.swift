/// Any JSON value (RFC 8259): numbers keep their digits, objects their order.
///
/// Equality is what JSON means, not how it is written: numbers are compared by their exact value,
/// strings byte for byte (é is not e with an accent), objects whatever the order of their keys.
public enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue {
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  public var number: JSONNumber? {
    if case .number(let value) = self { value } else { nil }
  }

  /// The value as a whole number; `2.0` and `2e3` count, `2.5` and `"2"` don't.
  public var int: Int? { number?.int }

  /// The nearest `Double`; `nil` where none comes near (`1e999`).
  public var double: Double? { number?.double }

  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  public var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  public var object: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  public var isNull: Bool { self == .null }

  /// The member of an object; `nil` where this isn't an object or has no such member.
  public subscript(key: String) -> JSONValue? { object?[key] }

  /// The element of an array; `nil` where this isn't an array or has no such element.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension JSONValue {
  public static func integer(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

  /// `null` where the number isn't finite, which JSON can't write.
  public static func double(_ value: Double) -> JSONValue {
    JSONNumber(value).map(JSONValue.number) ?? .null
  }

  package static func strings(_ texts: some Sequence<String>) -> JSONValue {
    .array(texts.map(JSONValue.string))
  }

  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): isEqual(left, right)
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  private static func isEqual(_ left: [JSONValue], _ right: [JSONValue]) -> Bool {
    guard left.count == right.count else { return false }
    for index in left.indices where left[index] != right[index] { return false }
    return true
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    // Strings of the same bytes have the same hash, whatever else has.
    case .string(let value): hasher.combine(value)
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}

// A member of a dictionary literal that is `nil` is left out; JSON's own null is written `.null`.
extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue?)...) {
    self = .object(JSONObject(elements))
  }
}

extension JSONValue: CustomStringConvertible {
  /// Compact JSON.
  public var description: String { text() }
}

extension UnsafeBufferPointer<UInt8> {
  /// Eight bytes at a time.
  package func hasSameBytes(as other: Self) -> Bool {
    guard count == other.count else { return false }
    let (left, right) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
    var index = 0
    while index + 8 <= count {
      let word = left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word != right.loadUnaligned(fromByteOffset: index, as: UInt64.self) { return false }
      index += 8
    }
    while index < count {
      if left[index] != right[index] { return false }
      index += 1
    }
    return true
  }
}

/// A text as a key or an element of a set: equal only to one of the same bytes, as URLs, ids, names and
/// paths of files are.
package struct ByteText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  /// Texts of the same bytes have the same hash, whatever else has.
  package static func == (left: Self, right: Self) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }
}

extension String {
  /// Byte for byte: Swift's `==` takes é for e with an accent.
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isSame = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { bytes.hasSameBytes(as: $0) }
    }
    return isSame.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
  }
}
