import Foundation

/// Finds lists of numbers by byte strings, faster than a dictionary of arrays can.
struct ByteTable: Sendable {
  private struct Slot: Sendable {
    var hash: UInt64
    var key: Range<Int>
    /// -1: free.
    var list: Int
  }

  private var keys: [UInt8] = []
  private var slots: [Slot] = []
  private var lists: [[Int]] = []

  var isEmpty: Bool { lists.isEmpty }

  mutating func add(_ value: Int, for key: [UInt8]) {
    if (lists.count + 1) * 2 > slots.count { grow() }
    key.withUnsafeBufferPointer { bytes in
      let hash = Self.hash(bytes)
      let index = slot(bytes, hash)
      if slots[index].list < 0 {
        slots[index] = Slot(hash: hash, key: keys.count..<keys.count + key.count, list: lists.count)
        keys.append(contentsOf: key)
        lists.append([value])
      } else {
        lists[slots[index].list].append(value)
      }
    }
  }

  /// Calls with what was added for a key.
  func find(_ key: UnsafeBufferPointer<UInt8>, _ found: (Int) -> Void) {
    guard !lists.isEmpty else { return }
    let list = slots[slot(key, Self.hash(key))].list
    guard list >= 0 else { return }
    for value in lists[list] { found(value) }
  }

  /// Puts one value in the place of those of each key.
  mutating func replaceLists(_ value: ([Int]) -> Int) {
    for index in lists.indices { lists[index] = [value(lists[index])] }
  }

  func values(of key: [UInt8]) -> [Int] {
    var values: [Int] = []
    key.withUnsafeBufferPointer { find($0) { values.append($0) } }
    return values
  }

  private func slot(_ key: UnsafeBufferPointer<UInt8>, _ hash: UInt64) -> Int {
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: hash) & mask
    while slots[index].list >= 0 {
      if slots[index].hash == hash, isEqual(slots[index].key, key) { return index }
      index = (index + 1) & mask
    }
    return index
  }

  private func isEqual(_ range: Range<Int>, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
    guard range.count == key.count else { return false }
    return keys.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, let other = key.baseAddress else { return true }
      return memcmp(base + range.lowerBound, other, key.count) == 0
    }
  }

  private mutating func grow() {
    let old = slots
    slots = Array(
      repeating: Slot(hash: 0, key: 0..<0, list: -1), count: max(16, old.count * 2))
    let mask = slots.count - 1
    for slot in old where slot.list >= 0 {
      var index = Int(truncatingIfNeeded: slot.hash) & mask
      while slots[index].list >= 0 { index = (index + 1) & mask }
      slots[index] = slot
    }
  }

  /// Eight bytes at a time, multiplied and folded.
  static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let raw = UnsafeRawBufferPointer(bytes)
    var hash = UInt64(truncatingIfNeeded: bytes.count) ^ 0x9E37_79B9_7F4A_7C15
    var index = 0
    while index + 8 <= raw.count {
      hash = mix(hash ^ raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    var tail: UInt64 = 0
    while index < raw.count {
      tail = tail << 8 | UInt64(raw[index])
      index += 1
    }
    return mix(hash ^ tail)
  }

  static func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low
  }
}
