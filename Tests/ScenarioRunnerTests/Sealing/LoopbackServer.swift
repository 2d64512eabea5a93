import Foundation
import Synchronization

/// A server of the machine itself, which is outside for an app: it counts who reaches it, by TCP and by
/// UDP, on one port.
final class LoopbackServer: Sendable {
  let port: UInt16
  private let stream: Int32
  private let datagram: Int32
  private let connections: Counter

  private final class Counter: Sendable {
    let value = Atomic<Int>(0)
  }

  struct NoPort: Error {}

  init() throws {
    stream = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    datagram = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    connections = Counter()
    guard let port = Self.bind(stream, to: 0), Self.bind(datagram, to: port) != nil,
      listen(stream, 100) == 0
    else { throw NoPort() }
    self.port = port
    Thread.detachNewThread { [stream, connections] in
      while case let client = accept(stream, nil, nil), client >= 0 {
        connections.value.wrappingAdd(1, ordering: .relaxed)
        Self.answer(client)
      }
    }
  }

  /// Ends the thread that accepts.
  func stop() { shutdown(stream, Int32(SHUT_RDWR)) }

  deinit {
    stop()
    close(stream)
    close(datagram)
  }

  /// How often it was reached; to be asked when the one who may have reached it has ended.
  var visits: Int {
    var bytes = [UInt8](repeating: 0, count: 100)
    var datagrams = 0
    while recv(datagram, &bytes, bytes.count, Int32(MSG_DONTWAIT)) >= 0 { datagrams += 1 }
    return connections.value.load(ordering: .relaxed) + datagrams
  }

  /// - Returns: the port.
  private static func bind(_ socket: Int32, to port: UInt16) -> UInt16? {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return Foundation.bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
      } ? UInt16(bigEndian: address.pointee.sin_port) : nil
    }
  }

  private static func answer(_ client: Int32) {
    let text = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
    _ = send(client, text, text.count, Int32(MSG_NOSIGNAL))
    shutdown(client, Int32(SHUT_WR))
    var rest = [UInt8](repeating: 0, count: 1000)
    while recv(client, &rest, rest.count, 0) > 0 {}
    close(client)
  }
}
