import Foundation
import Synchronization

/// A server of the machine itself, which is outside for an app: it counts who reaches it, by TCP and by
/// UDP, on one port.
final class LoopbackServer: Sendable {
  let port: UInt16
  private let stream: Int32
  private let datagram: Int32
  private let connections: Counter

  private let isStopped = Atomic<Bool>(false)

  private final class Counter: Sendable {
    let value = Atomic<Int>(0)
  }

  struct NoPort: Error {}

  init() throws {
    connections = Counter()
    // A port that is free for TCP may be taken for UDP: then the next one is tried.
    var sockets: (stream: Int32, datagram: Int32, port: UInt16)?
    for _ in 0..<Self.portLimit where sockets == nil { sockets = Self.sockets() }
    guard let sockets else { throw NoPort() }
    (stream, datagram, port) = sockets
    Thread.detachNewThread { [stream, connections] in
      while case let client = accept(stream, nil, nil), client >= 0 {
        connections.value.wrappingAdd(1, ordering: .relaxed)
        Self.answer(client)
      }
      // Here and not with the server: this thread would accept for whoever gets the number next.
      close(stream)
    }
  }

  /// So many ports are tried.
  private static let portLimit = 100

  /// A socket that listens, and one for datagrams with the same port.
  ///
  /// - Returns: `nil` where somebody else has the second.
  private static func sockets() -> (stream: Int32, datagram: Int32, port: UInt16)? {
    let stream = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let datagram = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    if let port = bind(stream, to: 0), bind(datagram, to: port) != nil, listen(stream, 100) == 0 {
      return (stream, datagram, port)
    }
    close(stream)
    close(datagram)
    return nil
  }

  /// Ends the thread that accepts.
  func stop() {
    if !isStopped.exchange(true, ordering: .relaxed) { shutdown(stream, Int32(SHUT_RDWR)) }
  }

  deinit {
    stop()
    close(datagram)
  }

  /// How often it was reached; to be asked when the one who may have reached it has ended.
  var visits: Int {
    var bytes = [UInt8](repeating: 0, count: 100)
    var datagrams = 0
    while recv(datagram, &bytes, bytes.count, Int32(MSG_DONTWAIT)) >= 0 { datagrams += 1 }
    // Whoever came before is counted once this visit is.
    let own = visit() ? 1 : 0
    return connections.value.wrappingSubtract(own, ordering: .relaxed).newValue + datagrams
  }

  /// - Returns: whether the server answered.
  private func visit() -> Bool {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(client) }
    let isConnected = Self.with(port) { connect(client, $0, $1) == 0 }
    var byte: UInt8 = 0
    return isConnected && recv(client, &byte, 1, 0) == 1
  }

  /// - Returns: the port.
  private static func bind(_ socket: Int32, to port: UInt16) -> UInt16? {
    with(port) { address, length in
      var length = length
      guard Foundation.bind(socket, address, length) == 0,
        getsockname(socket, address, &length) == 0
      else { return nil }
      return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        UInt16(bigEndian: $0.pointee.sin_port)
      }
    }
  }

  /// Calls with the address of a port of this machine.
  private static func with<Result>(
    _ port: UInt16, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
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
