import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How to leave: to a port of the machine itself, which is outside, too.
enum WayOut: String, CaseIterable {
  case sharedSession
  case contentsOfURL
  /// A child, which is another program.
  case curl
  /// A child of a child, in a session of its own, without a word of the launch's environment.
  case namelessCurl
  case tcp
  /// As event loops connect.
  case nonBlockingTCP
  /// From another thread than the first.
  case threadedTCP
  case fastOpen
  case udp
  case connectedUDP
  /// From a socket that has a port of the loopback address itself.
  case boundUDP
  /// Not a way out: two sockets of this process that are connected to each other.
  case pair
  /// The port of one of the two can be another process's as well.
  case sharedPair
  /// The other is a socket of the process that started this one.
  case pairOfParent
  case message
  case messages
  case lookup
  /// By a connection to a name server and `send`, as one kind of address is asked for.
  case lookupOfOneKind
  /// Not a way out: a socket of the machine's own.
  case local
  /// Not a way out: a server that nobody can reach.
  case server
  /// Not a way out by itself: `getaddrinfo` sorts the addresses of a name.
  case sorting

  /// - Returns: what the system said.
  func take(to port: UInt16) -> String {
    switch self {
    case .sharedSession: Self.load("http://127.0.0.1:\(port)/")
    case .contentsOfURL: Self.read("http://127.0.0.1:\(port)/")
    case .curl: Self.run("curl -sS http://127.0.0.1:\(port)/")
    case .namelessCurl:
      Self.run("env -i setsid -w /bin/sh -c '/usr/bin/curl -sS http://127.0.0.1:\(port)/'")
    case .tcp: Self.connect(SocketKind.stream, port)
    case .nonBlockingTCP: Self.connect(SocketKind.stream | SocketKind.nonBlocking, port)
    case .threadedTCP: Self.onThread { Self.connect(SocketKind.stream, port) }
    case .fastOpen: Self.send(SocketKind.stream, MessageFlag.fastOpen, port)
    case .udp: Self.send(SocketKind.datagram, 0, port)
    case .connectedUDP: Self.connect(SocketKind.datagram, port)
    case .boundUDP: Self.connectBound(to: port)
    case .pair: Self.connectPair()
    case .sharedPair: Self.connectPair(sharing: true)
    case .pairOfParent: Self.connectPairInChild()
    case .message: Self.sendMessage(port)
    case .messages: Self.sendMessages(port)
    case .lookup: Self.lookUp("ads.example.com", family: AF_UNSPEC)
    case .lookupOfOneKind: Self.lookUp("ads.example.com", family: AF_INET)
    case .local: Self.talkLocally()
    case .server: Self.listen()
    case .sorting: Self.lookUp("localhost", family: AF_UNSPEC)
    }
  }

  private static func load(_ url: String) -> String {
    guard let url = URL(string: url) else { return "no URL" }
    let done = DispatchSemaphore(value: 0)
    URLSession.shared.dataTask(with: url) { _, _, _ in done.signal() }.resume()
    done.wait()
    return "loaded"
  }

  private static func read(_ url: String) -> String {
    guard let url = URL(string: url) else { return "no URL" }
    return (try? Data(contentsOf: url)) == nil ? "failed" : "read"
  }

  static func run(_ command: String) -> String {
    let arguments = (["sh", "-c", command] as [String]).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid: pid_t = 0
    guard posix_spawn(&pid, "/bin/sh", nil, nil, arguments, environ) == 0 else { return "no shell" }
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    return "status \(status)"
  }

  private static func onThread(_ work: @escaping @Sendable () -> String) -> String {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var said = ""
    Thread.detachNewThread {
      said = work()
      done.signal()
    }
    done.wait()
    return said
  }

  private static func lookUp(_ name: String, family: Int32) -> String {
    var hints = addrinfo()
    hints.ai_family = family
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(name, nil, &hints, &found)
    if let found { freeaddrinfo(found) }
    return code == 0 ? "found" : String(cString: gai_strerror(code))
  }
}
