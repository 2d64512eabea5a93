import Foundation

/// A picture as it came from the server, in PNG format.
package struct PoseImage: Sendable, Equatable {
  package var width: Int
  package var height: Int
  package var png: Data

  /// - Returns: `nil` where the bytes aren't a PNG picture.
  package init?(png: Data) {
    let bytes = Array(png.prefix(24))
    guard bytes.count == 24, bytes.starts(with: Self.signature) else { return nil }
    width = Self.number(bytes[16..<20])
    height = Self.number(bytes[20..<24])
    self.png = png
  }

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
