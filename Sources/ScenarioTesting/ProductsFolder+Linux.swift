#if !canImport(Darwin)
  import Foundation

  /// Where the package's products are built: the tests among them.
  enum ProductsFolder {
    /// Of the test program.
    static var path: String {
      let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
      return URL(filePath: program).resolvingSymlinksInPath().deletingLastPathComponent()
        .path(percentEncoded: false)
    }
  }
#endif
