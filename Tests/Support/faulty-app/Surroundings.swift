#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the system says about this process, and takes from it.
enum Surroundings {
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// As `NAME=value`.
  static var variables: [String] {
    var variables: [String] = []
    while let variable = environ[variables.count] { variables.append(String(cString: variable)) }
    return variables
  }

  static var folder: String {
    guard let path = getcwd(nil, 0) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }

  /// - Returns: `nil` where it can't be read.
  static func entryCount(ofFolder path: String) -> Int? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    // The folder itself and the one above it are in it too.
    var count = -2
    while readdir(folder) != nil { count += 1 }
    return count
  }

  /// - Returns: the first kilobyte; `nil` where there is no such file.
  static func text(ofFile path: String) -> String? {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(file, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// - Returns: how much of it was written.
  static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }
}
