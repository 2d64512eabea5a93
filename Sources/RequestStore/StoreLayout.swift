/// The names in a shared folder.
enum StoreLayout {
  static let sharedFile = "storedRequests.jsonl"
  private static let storePrefix = "storedRequests."
  private static let cancellationPrefix = "cancelledRequests."
  private static let failurePrefix = "storeFailed."
  private static let suffix = ".jsonl"

  /// One process's part of a file name; a later writer with the same process id gets a number.
  static func stem(processID: Int32, attempt: Int) -> String {
    attempt == 1 ? "\(processID)" : "\(processID).\(attempt)"
  }

  static func storeFile(_ stem: String) -> String { storePrefix + stem + suffix }
  static func cancellationFile(_ stem: String) -> String { cancellationPrefix + stem + suffix }

  /// A file that says by its name that a request could not be written.
  static func failureMarker(_ stem: String) -> String { failurePrefix + stem }

  static func isStoreFile(_ name: String) -> Bool {
    name == sharedFile || (name.hasPrefix(storePrefix) && name.hasSuffix(suffix))
  }

  static func isFailureMarker(_ name: String) -> Bool { name.hasPrefix(failurePrefix) }

  /// The side file of a store file's cancellations.
  static func cancellationFile(besides storeFile: String) -> String {
    cancellationPrefix + storeFile.dropFirst(storePrefix.count)
  }
}
