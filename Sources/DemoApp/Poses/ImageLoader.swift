import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Downloads each image at most once and keeps it; what failed is tried again when asked again.
@MainActor package final class ImageLoader {
  private let session: URLSession
  private var images: [String: PoseImage] = [:]
  private var downloads: [String: Task<PoseImage?, Never>] = [:]

  package init(session: URLSession) {
    self.session = session
  }

  /// The image, from the cache or from the one download that all who ask share.
  ///
  /// - Returns: `nil` where the download failed.
  package func image(_ key: String) async -> PoseImage? {
    if let image = images[key] { return image }
    let download = downloads[key] ?? startDownload(of: key)
    return await download.value
  }

  private func startDownload(of key: String) -> Task<PoseImage?, Never> {
    let session = session
    let download = Task {
      let image = await Self.download(key, through: session)
      images[key] = image
      downloads[key] = nil
      return image
    }
    downloads[key] = download
    return download
  }

  private static func download(_ key: String, through session: URLSession) async -> PoseImage? {
    guard let url = URL(string: key), let answer = try? await session.fetch(URLRequest(url: url)),
      200..<300 ~= answer.status
    else { return nil }
    return PoseImage(png: answer.body)
  }
}
