import CSupervision
import Foundation

/// A system call that would have left the machine, as values of Swift.
struct RefusedCall {
  enum Way { case connect, send, socket, foreign }

  var way: Way
  var process: Int32
  var program: String
  /// As the kernel calls it: "TCP", "UDPv6"; empty where it isn't known.
  var socketProtocol: String
  /// The socket's number among all of the system; `nil` where it isn't known.
  var socket: UInt64?
  /// In the usual notation; `nil` where there is none.
  var address: String?
  var port: Int
  /// The beginning of what was to be sent.
  var payload: [UInt8]
  /// The address family's number.
  var family: Int32
}

extension RefusedCall {
  init(_ attempt: csupervision_attempt) {
    way =
      switch attempt.way {
      case CSUPERVISION_WAY_CONNECT: .connect
      case CSUPERVISION_WAY_SEND: .send
      case CSUPERVISION_WAY_SOCKET: .socket
      default: .foreign
      }
    process = attempt.process
    program = Self.text(of: attempt.program)
    socketProtocol = Self.text(of: attempt.protocol)
    socket = attempt.socket == 0 ? nil : attempt.socket
    address = Self.address(attempt)
    port = Int(attempt.port)
    payload = withUnsafeBytes(of: attempt.payload) {
      Array($0.prefix(Int(attempt.payload_length)))
    }
    family = attempt.family
  }

  /// - Parameter characters: an array of C, which ends with a zero.
  private static func text<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private static func address(_ attempt: csupervision_attempt) -> String? {
    guard attempt.family == AF_INET || attempt.family == AF_INET6 else { return nil }
    var text = [CChar](repeating: 0, count: 64)
    let isWritten = withUnsafeBytes(of: attempt.address) {
      inet_ntop(attempt.family, $0.baseAddress, &text, socklen_t(text.count)) != nil
    }
    guard isWritten else { return nil }
    let address = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    // An address of version 4 in the clothes of version 6.
    return address.hasPrefix("::ffff:") && address.contains(".")
      ? String(address.dropFirst("::ffff:".count)) : address
  }
}

/// The question of a DNS packet (RFC 1035, section 4.1).
struct DNSQuery {
  private var id: UInt16
  private var type: UInt16
  /// Without a dot at its end; what isn't printable ASCII is `?`.
  let name: String

  private static let headerBytes = 12

  /// - Returns: `nil` where the packet isn't a query with a question.
  init?(_ packet: [UInt8]) {
    guard packet.count > Self.headerBytes, packet[2] & 0x80 == 0,
      Self.number(packet, at: 4) > 0
    else { return nil }
    var labels: [String] = []
    var position = Self.headerBytes
    while position < packet.count, packet[position] != 0 {
      let length = Int(packet[position])
      // Queries compress no names: a label is 63 bytes long at most.
      guard length < 64, position + length < packet.count else { return nil }
      let bytes = packet[(position + 1)...(position + length)]
      labels.append(String(decoding: bytes.map(Self.printable), as: UTF8.self))
      position += length + 1
    }
    guard position + 4 < packet.count, !labels.isEmpty else { return nil }
    id = Self.number(packet, at: 0)
    type = Self.number(packet, at: position + 1)
    name = labels.joined(separator: ".")
  }

  /// Whether this belongs to the same lookup: it is sent again, or asks for another kind of address.
  func isRepetition(of earlier: DNSQuery?) -> Bool {
    guard let earlier else { return false }
    return earlier.id == id || earlier.type != type
  }

  private static func number(_ packet: [UInt8], at position: Int) -> UInt16 {
    UInt16(packet[position]) << 8 | UInt16(packet[position + 1])
  }

  private static func printable(_ byte: UInt8) -> UInt8 {
    (0x21...0x7E).contains(byte) ? byte : UInt8(ascii: "?")
  }
}

/// The domains that the C library appends to a name that it doesn't find (resolv.conf(5)).
struct SearchDomains: Sendable {
  private let suffixes: [String]

  init(_ domains: [String]) {
    suffixes = domains.filter { !$0.isEmpty && $0 != "." }
      .map { "." + $0.trimmingCharacters(in: ["."]).lowercased() }
  }

  /// Those of this machine.
  init(contentsOf path: String = "/etc/resolv.conf") {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let lines = text.split(whereSeparator: \.isNewline)
      .map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    self.init(
      lines.filter { $0.first == "search" || $0.first == "domain" }.flatMap { $0.dropFirst() })
  }

  /// The name as the program gave it.
  func removed(from name: String) -> String {
    let suffix = suffixes.first { name.lowercased().hasSuffix($0) && name.count > $0.count }
    return suffix.map { String(name.dropLast($0.count)) } ?? name
  }
}
