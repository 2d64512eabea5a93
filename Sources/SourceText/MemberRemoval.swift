/// Removes a member of an object together with the comma before it.
enum MemberRemoval {
  static func edit(of member: JSONMember) -> TextEdit {
    let file = member.keyLocation.file
    var start = member.keyLocation.range.lowerBound
    var probe = start
    while probe > 0, isBlank(file.bytes[probe - 1]) { probe -= 1 }
    if probe > 0, file.bytes[probe - 1] == UInt8(ascii: ",") { start = probe - 1 }
    let end = member.value.location.range.upperBound
    return TextEdit("", at: SourceLocation(file: file, range: start..<end))
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
      || byte == UInt8(ascii: "\t")
  }
}

extension JSONNode {
  /// Whether two values mean the same, places set aside; objects with their keys in one order.
  package func isSame(as other: JSONNode) -> Bool {
    switch (value, other.value) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && zip(left, right).allSatisfy { $0.key == $1.key && $0.value.isSame(as: $1.value) }
    default: false
    }
  }
}
