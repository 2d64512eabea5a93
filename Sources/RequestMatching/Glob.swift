/// Names in which `*` stands for any number of characters.
package enum Glob {
  /// Whether the whole name is as the glob says; compared byte by byte.
  package static func matches(_ glob: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    var (glob, name) = (glob, name)
    var retry: (glob: ArraySlice<UInt8>, name: ArraySlice<UInt8>)?
    while true {
      if glob.first == UInt8(ascii: "*") {
        glob = glob.dropFirst()
        retry = (glob, name)
      } else if let first = name.first, glob.first == first {
        (glob, name) = (glob.dropFirst(), name.dropFirst())
      } else if glob.isEmpty, name.isEmpty {
        return true
      } else if let last = retry, !last.name.isEmpty {
        retry = (last.glob, last.name.dropFirst())
        (glob, name) = (last.glob, last.name.dropFirst())
      } else {
        return false
      }
    }
  }
}
