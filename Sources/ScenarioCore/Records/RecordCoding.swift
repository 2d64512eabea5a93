/// Writes the fields of a record, in the order in which `RecordReader` reads them.
///
/// Records live as long as a run and are read by the program that wrote them: they have no version.
package struct RecordWriter {
  package private(set) var bytes: [UInt8] = []

  package init() { bytes.reserveCapacity(256) }

  package mutating func add(_ value: Int) {
    withUnsafeBytes(of: Int64(value)) { bytes.append(contentsOf: $0) }
  }

  package mutating func add(_ value: Double) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  package mutating func add(_ value: [UInt8]) {
    add(value.count)
    bytes.append(contentsOf: value)
  }

  package mutating func add(_ value: String) {
    add(value.utf8.count)
    bytes.append(contentsOf: value.utf8)
  }

  package mutating func add(_ value: String?) {
    add(value == nil ? 0 : 1)
    if let value { add(value) }
  }

  package mutating func add(_ value: Int?) {
    add(value == nil ? 0 : 1)
    if let value { add(value) }
  }

  package mutating func add(_ values: [String]) {
    add(values.count)
    for value in values { add(value) }
  }
}

/// Reads the fields of a record that `RecordWriter` wrote.
///
/// A record that is not whole traps: what it held can't be known, and must not be made up.
package struct RecordReader {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package mutating func int() -> Int { Int(load(Int64.self)) }

  package mutating func double() -> Double { load(Double.self) }

  package mutating func array() -> [UInt8] { Array(slice()) }

  package mutating func string() -> String { String(decoding: slice(), as: UTF8.self) }

  package mutating func optionalString() -> String? { int() == 0 ? nil : string() }

  package mutating func optionalInt() -> Int? { int() == 0 ? nil : int() }

  package mutating func strings() -> [String] { (0..<int()).map { _ in string() } }

  private mutating func load<Value: BitwiseCopyable>(_ type: Value.Type) -> Value {
    defer { position += MemoryLayout<Value>.size }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: type) }
  }

  private mutating func slice() -> ArraySlice<UInt8> {
    let count = int()
    defer { position += count }
    return bytes[position..<position + count]
  }
}
