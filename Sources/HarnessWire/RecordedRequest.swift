/// How a request ended for the app.
public enum RequestEnd: Sendable, Equatable {
  /// With a response of this HTTP status.
  case status(Int)
  /// With an error, by the name of its `URLError.Code`; `cancelled` is one.
  case error(String)

  /// The app cancelled the request before it was answered. It was sent all the same.
  public static let cancelled = RequestEnd.error("cancelled")
}

/// A request that went through the app's `URLSession`: one line of the store, and a later one for
/// its end.
public struct RecordedRequest: Sendable, Equatable {
  /// Who answered a recorded request.
  public enum Answer: String, Sendable {
    /// A stub.
    case stub
    /// Nobody: `200` with an empty body.
    case `default`
    /// The network was set to offline.
    case offline
    /// A stub, with a fault or a `urlError`.
    case fault
  }

  /// The absolute URL exactly as sent.
  public var url: String
  public var method: String?
  public var headers: [String: String]
  public var body: [UInt8]?
  /// The index of the action in hand when the request was caused; 0 is the launch.
  public var action: Int?
  /// Wall time: seconds since the process was launched.
  public var time: Double?
  /// The app's clock: seconds since its start date.
  public var clock: Double?
  /// Who answered, or was about to when the app cancelled the request.
  public var answer: Answer?
  /// `nil` where the store has no end: the request arrived.
  public var end: RequestEnd?

  public init(
    url: String, method: String? = nil, headers: [String: String] = [:], body: [UInt8]? = nil,
    action: Int? = nil, time: Double? = nil, clock: Double? = nil, answer: Answer? = nil,
    end: RequestEnd? = nil
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.action = action
    self.time = time
    self.clock = clock
    self.answer = answer
    self.end = end
  }

  /// Whether a stub answered.
  public var isStubbed: Bool { answer == .stub || answer == .fault }
}
