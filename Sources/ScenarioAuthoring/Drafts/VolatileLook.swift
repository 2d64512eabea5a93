import Foundation
import RequestMatching

/// Tells by its name and its look what another run would send differently.
enum VolatileLook {
  /// In small letters, without `_`, `-` and `.`, unless there is nothing else.
  private static let names: Set<String> = [
    "ts", "timestamp", "cb", "cachebuster", "cachebust", "rnd", "rand", "random", "nonce", "uuid",
    "guid", "requestid", "reqid", "sessionid", "sid", "eventid", "messageid", "insertid", "sentat",
    "z", "_",
  ]
  /// Seconds: an app writes times of this day, and of the days beside it.
  private static let nearness = 172_800.0

  /// - Parameter date: when it was sent; in seconds since 1970.
  static func isVolatile(name: String, value: String, sentAt date: Double?) -> Bool {
    let plain = name.lowercased().filter { !"_-.".contains($0) }
    if names.contains(plain.isEmpty ? name : plain) || UUID(uuidString: value) != nil {
      return true
    }
    if let date, let time = EventTime(.string(value)), abs(time.seconds - date) < nearness {
      return true
    }
    return SecretShape.isRandom(value)
  }
}
