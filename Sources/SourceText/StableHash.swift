/// FNV-1a with 64 bits: the same on every machine and in every run, unlike `Hasher`.
package struct StableHash: Sendable {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  package static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash = StableHash()
    hash.add(bytes)
    return hash.value
  }

  package static func of(_ text: String) -> UInt64 { of(text.utf8) }

  package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  /// With an end, so that two texts are not taken for another two.
  package mutating func add(_ text: String) {
    add(text.utf8)
    add(CollectionOfOne(0))
  }

  package var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
