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
