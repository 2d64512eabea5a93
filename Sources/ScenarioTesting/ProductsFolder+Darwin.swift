#if canImport(Darwin)
  import Foundation

  /// Where the package's products are built: the tests among them.
  enum ProductsFolder {
    /// Beside the test bundle that this code is linked into; the main program is a tool of Xcode.
    static var path: String {
      let image = URL(filePath: imagePath ?? CommandLine.arguments[0]).resolvingSymlinksInPath()
      let bundle = bundle(around: image) ?? loadedBundle
      return (bundle ?? image).deletingLastPathComponent().path(percentEncoded: false)
    }

    private static var imagePath: String? {
      var information = Dl_info()
      guard dladdr(#dsohandle, &information) != 0, let name = information.dli_fname else {
        return nil
      }
      return String(cString: name)
    }

    private static func bundle(around image: URL) -> URL? {
      var url = image
      while url.pathComponents.count > 1 {
        if url.pathExtension == "xctest" { return url }
        url = url.deletingLastPathComponent()
      }
      return nil
    }

    /// Where this code is in a framework of its own.
    private static var loadedBundle: URL? {
      Bundle.allBundles.first { $0.bundleURL.pathExtension == "xctest" }?.bundleURL
    }
  }
#endif
