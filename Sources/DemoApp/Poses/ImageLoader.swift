import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Downloads each image at most once and keeps it; what failed is tried again when asked again.
@MainActor final class ImageLoader {
  private let session: URLSession
  private var images: [String: PoseImage] = [:]
  private var downloads: [String: Task<PoseImage?, Never>] = [:]

  init(session: URLSession) {
    self.session = session
  }

  /// The image, from the cache or from the one download that all who ask share.
  ///
  /// - Returns: `nil` where the download failed.
  func image(_ key: String) async -> PoseImage? {
    if let image = images[key] { return image }
    let download = downloads[key] ?? Task { await self.download(key) }
    downloads[key] = download
    return await download.value
  }

  private func download(_ key: String) async -> PoseImage? {
    let request = URL(string: key).map { URLRequest(url: $0) }
    let body = if let request { try? await session.fetchBody(request) } else { Data?.none }
    images[key] = body.flatMap(PoseImage.init)
    downloads[key] = nil
    return images[key]
  }
}

/// A picture as it came from the server, in PNG format.
struct PoseImage: Sendable {
  var width: Int
  var height: Int

  /// - Returns: `nil` where the bytes aren't a PNG picture.
  init?(png: Data) {
    let bytes = Array(png.prefix(24))
    guard bytes.count == 24, bytes.starts(with: Self.signature) else { return nil }
    width = Self.number(bytes[16..<20])
    height = Self.number(bytes[20..<24])
  }

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
