import Foundation
import HarnessProtocol
import JSON

struct FaultyApp {
  let fault: Fault
  let moment: String

  func run() {
    // The bound on everything below.
    alarm(60)
    if moment == "launch" { commit(RPCRequest(id: 0, method: "launch")) }
    var buffer = LineBuffer()
    while let bytes = readChunk() {
      for line in buffer.append(bytes) { answer(line) }
    }
    end()
  }

  private func readChunk() -> [UInt8]? {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = read(STDIN_FILENO, &chunk, chunk.count)
    return count > 0 ? Array(chunk[..<count]) : nil
  }

  private func end() {
    switch fault {
    case .exitWith3AtEnd: exit(3)
    case .stayAtEnd: hang()
    default: exit(0)
    }
  }

  private func answer(_ line: [UInt8]) {
    guard let request = try? RPCLine.request(from: line) else { return }
    if request.method == moment {
      if let error = refusal { return write(RPCResponse(id: request.id, result: .failure(error))) }
      commit(request)
    }
    reply(to: request)
  }

  /// The error that the app answers with, instead of what it should.
  private var refusal: RPCError? {
    switch fault {
    case .standardError: RPCError(.internalError, "the app's own fault")
    case .notFoundError:
      RPCError(.elementNotFound, "No element.", data: ["onScreen": ["Window"]])
    default: nil
    }
  }

  private func reply(to request: RPCRequest) {
    var result: JSONValue = [:]
    if request.method == "initialize" {
      result = [
        "protocolVersion": .integer(fault == .otherProtocolVersion ? 7 : harnessProtocolVersion),
        "app": ["name": "faulty-app", "version": "1"],
        "actions": fault == .noVerbs ? [] : ["tap", "swipe", "perform"],
      ]
    }
    write(RPCResponse(id: request.id, result: .success(result)))
  }

  private func commit(_ request: RPCRequest) {
    switch fault {
    case .abort: abort()
    case .segmentationFault: UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
    case .exitWith0: exit(0)
    case .exitWith3:
      print("last words", to: STDERR_FILENO)
      exit(3)
    case .hang: hang()
    case .hangIgnoringTermination:
      signal(SIGTERM, SIG_IGN)
      hang()
    case .floodOutput: flood(STDOUT_FILENO)
    case .floodError: flood(STDERR_FILENO)
    case .closeInput: close(STDIN_FILENO)
    case .closeOutput:
      close(STDOUT_FILENO)
      hang()
    case .leaveChild: Children.leave("sleep 60 \(Children.noPipes)")
    case .leaveDaemon: Children.leave("setsid sleep 60 \(Children.noPipes)")
    case .leaveChildWithPipes: Children.leave("setsid sleep 60")
    case .leaveNamelessDaemon: Children.leave("env -i setsid sleep 60 \(Children.noPipes)")
    case .leaveDisguisedDaemon: Children.leaveDisguised()
    case .leaveThreadedChild: Children.leaveThreaded()
    case .leaveFloodingChild: Children.leave("setsid timeout 60 yes")
    case .leaveEndingChild: Children.leaveUntilEnd()
    default: commitOnPaper(request)
    }
  }

  /// The faults of what is written.
  private func commitOnPaper(_ request: RPCRequest) {
    switch fault {
    case .tornStoreLine: store(#"{"url":"https://a.example.com/"#)
    case .damagedStoreLine: store("{\"url\":42}\n")
    case .appendBareLine: store("https://a.example.com/bare\n")
    case .sendRequest:
      store("{\"url\":\"https://a.example.com/sent\",\"action\":\(request.id),\"time\":0.5}\n")
    case .leakToken:
      for stream in [STDOUT_FILENO, STDERR_FILENO] { print(Leaks.text, to: stream) }
      store(Leaks.storeLine)
    case .sayCommands:
      print(Leaks.commands, to: STDERR_FILENO)
      exit(3)
    case .tellLaunch: print(LaunchReport.text, to: STDOUT_FILENO)
    case .garbageOutput: print("{ this isn't a message", to: STDOUT_FILENO)
    case .invalidUTF8Output: write([0xFF, 0xFE, 0x1B, 0x5B, 0x32, 0x4A, 0x0A], to: STDOUT_FILENO)
    case .wrongIdentifier: write(RPCResponse(id: request.id + 100, result: .success([:])))
    case .answerTwice: reply(to: request)
    case .answerHalf:
      write(Array(#"{"jsonrpc":"2.0","id":1,"#.utf8), to: STDOUT_FILENO)
      exit(0)
    default: break
    }
  }

  private func hang() -> Never {
    while true { pause() }
  }

  private func flood(_ descriptor: Int32) {
    let line = Array((String(repeating: "flood ", count: 170) + "\n").utf8)
    for _ in 0..<(20 * 1024 * 1024 / line.count) { write(line, to: descriptor) }
  }

  private func store(_ text: String) {
    let folder = ProcessInfo.processInfo.environment[LaunchEnvironment.sharedDirectory] ?? "."
    let file = open(folder + "/storedRequests.jsonl", O_WRONLY | O_APPEND | O_CREAT, 0o600)
    write(Array(text.utf8), to: file)
    close(file)
  }

  private func print(_ text: String, to descriptor: Int32) {
    write(Array((text + "\n").utf8), to: descriptor)
  }

  private func write(_ response: RPCResponse) {
    write(RPCLine.bytes(of: response), to: STDOUT_FILENO)
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
