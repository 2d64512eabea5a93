/// Where a reporter writes to; injected, so that reporters know no descriptor.
package protocol TextOutput: AnyObject, Sendable {
  /// - Throws: where nobody reads any more, or the disk is full.
  func write(_ text: String) throws
}
