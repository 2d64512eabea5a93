import HarnessWire

/// A request that somebody may have to answer for, with all that are like it.
struct StrayRequest: Sendable {
  var request: RecordedRequest
  var count = 0
  /// The first ones.
  var sightings: [RequestSighting] = []
  /// The `sends` checks that it offends.
  var offended: [Int]
  /// Whether nothing names it.
  var isUnnamed: Bool
  var isStubbed: Bool

  var action: Int? { request.action }
}

/// What makes two stray requests the same.
struct StrayKey: Hashable, Sendable {
  private let bytes: [UInt8]

  /// - Parameter details: the parts that patterns of the scenario look at, besides the URL.
  init(_ request: RecordedRequest, url: [UInt8], details: [String]) {
    var bytes = url
    for part in [request.method, request.action.map(String.init), request.answer?.rawValue] {
      bytes.append(0xFF)
      bytes.append(contentsOf: (part ?? "").utf8)
    }
    for name in details {
      bytes.append(0xFF)
      let value = request.headers.first { $0.key.lowercased() == name }?.value
      bytes.append(contentsOf: (value ?? "").utf8)
    }
    bytes.append(0xFF)
    bytes.append(contentsOf: request.body ?? [])
    self.bytes = bytes
  }
}
