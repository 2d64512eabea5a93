import Foundation

/// Kinds of sockets, which Linux's headers show as an enumeration.
enum SocketKind {
  #if os(Linux)
    static let stream = Int32(SOCK_STREAM.rawValue)
    static let datagram = Int32(SOCK_DGRAM.rawValue)
    static let nonBlocking = Int32(SOCK_NONBLOCK.rawValue)
  #else
    static let stream = SOCK_STREAM
    static let datagram = SOCK_DGRAM
    static let nonBlocking: Int32 = 0
  #endif
}

enum MessageFlag {
  #if os(Linux)
    static let fastOpen = Int32(MSG_FASTOPEN)
  #else
    static let fastOpen: Int32 = 0
  #endif
}

extension WayOut {
  private static let text = Array("hello".utf8)

  static func connect(_ kind: Int32, _ port: UInt16) -> String {
    let socket = Foundation.socket(AF_INET, kind, 0)
    defer { close(socket) }
    let isConnected = withLoopback(port) { Foundation.connect(socket, $0, $1) == 0 }
    guard isConnected || errno == EINPROGRESS else { return reason }
    _ = text.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
    return "connected"
  }

  static func connectBound(to port: UInt16) -> String {
    let (socket, _) = boundSocket(sharing: false)
    defer { close(socket) }
    guard withLoopback(port, { Foundation.connect(socket, $0, $1) == 0 }) else { return reason }
    return Foundation.send(socket, text, text.count, 0) > 0 ? "sent" : reason
  }

  /// As CoreFoundation wakes a thread.
  static func connectPair(sharing: Bool = false) -> String {
    let (first, firstPort) = boundSocket(sharing: sharing)
    let (second, secondPort) = boundSocket(sharing: sharing)
    guard withLoopback(secondPort, { Foundation.connect(first, $0, $1) == 0 }),
      withLoopback(firstPort, { Foundation.connect(second, $0, $1) == 0 })
    else { return reason }
    var byte = text[0]
    guard Foundation.send(first, &byte, 1, 0) == 1 else { return reason }
    return "\(read(second, &byte, 1)) byte"
  }

  /// The descriptor is inherited, but a child has none of the parent's by default: it is closed on `exec`.
  static func connectPairInChild() -> String {
    let (socket, port) = boundSocket(sharing: false)
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    return run("exec '\(CommandLine.arguments[0])' boundUDP \(port) now </dev/null")
  }

  private static func boundSocket(sharing: Bool) -> (socket: Int32, port: UInt16) {
    let socket = Foundation.socket(AF_INET, SocketKind.datagram, 0)
    var isOn: Int32 = 1
    if sharing {
      setsockopt(socket, SOL_SOCKET, SO_REUSEPORT, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard withLoopback(0, { bind(socket, $0, $1) == 0 }) else { return (socket, 0) }
    withUnsafeMutablePointer(to: &address) { address in
      _ = address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(socket, $0, &length)
      }
    }
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  static func send(_ kind: Int32, _ flags: Int32, _ port: UInt16) -> String {
    let socket = Foundation.socket(AF_INET, kind, 0)
    defer { close(socket) }
    let count = withLoopback(port) { sendto(socket, text, text.count, flags, $0, $1) }
    return count > 0 ? "sent" : reason
  }

  static func sendMessage(_ port: UInt16) -> String {
    withMessage(port) { socket, message in sendmsg(socket, &message, 0) > 0 ? "sent" : reason }
  }

  static func sendMessages(_ port: UInt16) -> String {
    #if os(Linux)
      withMessage(port) { socket, message in
        // Not shown by Swift's importer.
        typealias SendMessages =
          @convention(c) (Int32, UnsafeMutableRawPointer, UInt32, Int32) ->
          Int32
        guard let symbol = dlsym(nil, "sendmmsg") else { return "no sendmmsg" }
        var several = [(message, UInt32(0)), (message, UInt32(0))]
        let count = unsafeBitCast(symbol, to: SendMessages.self)(socket, &several, 2, 0)
        return count > 0 ? "sent" : reason
      }
    #else
      sendMessage(port)
    #endif
  }

  /// All calls that a filter looks at, with sockets that know no network.
  static func talkLocally() -> String {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, SocketKind.stream, 0, &ends) == 0 else { return reason }
    var message = msghdr()
    var bytes = Array(repeating: UInt8(ascii: "x"), count: 100)
    let sent = bytes.withUnsafeMutableBytes { buffer in
      var part = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
      return withUnsafeMutablePointer(to: &part) { part in
        message.msg_iov = part
        message.msg_iovlen = 1
        return sendmsg(ends[0], &message, 0) + Foundation.send(ends[0], buffer.baseAddress, 50, 0)
      }
    }
    return "\(sent) bytes, \(read(ends[1], &bytes, 100)) of them read; " + connectLocally()
  }

  private static func connectLocally() -> String {
    let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array("\(folder)/s".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.prefix($0.count - 1)) }
    let (server, client) = (
      socket(AF_UNIX, SocketKind.stream, 0), socket(AF_UNIX, SocketKind.stream, 0)
    )
    return withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        guard bind(server, address, length) == 0, Foundation.listen(server, 1) == 0,
          Foundation.connect(client, address, length) == 0
        else { return reason }
        return "connected"
      }
    }
  }

  static func listen() -> String {
    let server = socket(AF_INET, SocketKind.stream, 0)
    defer { close(server) }
    let isBound = withLoopback(0) { bind(server, $0, $1) == 0 }
    return isBound && Foundation.listen(server, 1) == 0 ? "listening" : reason
  }

  private static func withMessage(
    _ port: UInt16, _ body: (Int32, inout msghdr) -> String
  ) -> String {
    let socket = Foundation.socket(AF_INET, SocketKind.datagram, 0)
    defer { close(socket) }
    var bytes = text
    return withLoopback(port) { address, length in
      bytes.withUnsafeMutableBytes { buffer in
        var part = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
        return withUnsafeMutablePointer(to: &part) { part in
          var message = msghdr()
          message.msg_name = UnsafeMutableRawPointer(mutating: address)
          message.msg_namelen = length
          message.msg_iov = part
          message.msg_iovlen = 1
          return body(socket, &message)
        }
      }
    }
  }

  private static func withLoopback<Value>(
    _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
  ) -> Value {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static var reason: String { String(cString: strerror(errno)) }
}
