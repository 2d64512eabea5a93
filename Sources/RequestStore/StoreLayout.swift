/// The names in a shared folder: nothing but the store may be in it.
enum StoreLayout {
  private static let sharedFile = "storedRequests.jsonl"
  private static let prefix = "storedRequests."
  private static let suffix = ".jsonl"

  /// The file of one process.
  static func storeFile(processID: Int32) -> String { "\(prefix)\(processID)\(suffix)" }

  static func isStoreFile(_ name: String) -> Bool {
    if name == sharedFile { return true }
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
    let processID = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
    return !processID.isEmpty && processID.allSatisfy { (0x30...0x39).contains($0) }
  }
}
