import JSON

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Without Foundation and the kit: it is launched some hundred times, and loads in half the time.
struct FaultyApp {
  let fault: Fault
  let moment: String

  func run() {
    // The bound on everything below.
    alarm(60)
    if moment == "launch" { commit(0) }
    while let line = readLine() { answer(line) }
    end()
  }

  private func end() {
    switch fault {
    case .exitWith3AtEnd: exit(3)
    case .stayAtEnd: hang()
    default: exit(0)
    }
  }

  private func answer(_ line: String) {
    guard let request = try? JSONValue(parsing: line.utf8), let id = request["id"]?.int else {
      return
    }
    let method = request["method"]?.string ?? ""
    if method == moment {
      if let error = refusal { return write(id, ["error": error]) }
      commit(id, method)
    }
    reply(id, method)
  }

  /// The error that the app answers with, instead of what it should.
  private var refusal: JSONValue? {
    switch fault {
    case .standardError: ["code": -32603, "message": "the app's own fault"]
    case .notFoundError:
      ["code": -32001, "message": "No element.", "data": ["onScreen": ["Window"]]]
    default: nil
    }
  }

  private func reply(_ id: Int, _ method: String) {
    var result: JSONValue = [:]
    if method == "initialize" {
      result = [
        "protocolVersion": fault == .otherProtocolVersion ? 7 : 1,
        "app": ["name": "faulty-app", "version": "1"],
        "actions": fault == .noVerbs ? [] : ["tap", "swipe", "perform"],
      ]
    }
    write(id, ["result": result])
  }

  private func commit(_ id: Int, _ method: String = "launch") {
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
    case .leaveFloodingChild:
      // In long lines: of short ones the reader has so much to do that this app's answer comes late.
      Children.leave("setsid timeout 60 yes $(printf %01000d 0)")
    case .leaveEndingChild: Children.leaveUntilEnd()
    default: commitOnPaper(id, method)
    }
  }

  /// The faults of what is written.
  private func commitOnPaper(_ id: Int, _ method: String) {
    switch fault {
    case .tornStoreLine: store(#"{"url":"https://a.example.com/"#)
    case .damagedStoreLine: store("{\"url\":42}\n")
    case .appendBareLine: store("https://a.example.com/bare\n")
    case .sendRequest:
      store("{\"url\":\"https://a.example.com/sent\",\"action\":\(id),\"time\":0.5}\n")
    case .leakToken:
      for stream in [STDOUT_FILENO, STDERR_FILENO] { print(Leaks.text, to: stream) }
      store(Leaks.storeLine)
    case .sayCommands:
      print(Leaks.commands, to: STDERR_FILENO)
      exit(3)
    case .tellLaunch: print(LaunchReport.text, to: STDOUT_FILENO)
    case .garbageOutput: print("{ this isn't a message", to: STDOUT_FILENO)
    case .invalidUTF8Output: write([0xFF, 0xFE, 0x1B, 0x5B, 0x32, 0x4A, 0x0A], to: STDOUT_FILENO)
    case .wrongIdentifier: write(id + 100, ["result": [:]])
    case .answerTwice: reply(id, method)
    case .answerAhead:
      write(line(id, ["result": [:]]) + line(id + 1, ["result": [:]]), to: STDOUT_FILENO)
    case .errorWithoutCode: write(id, ["result": [:], "error": ["message": "the app's own fault"]])
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
    let folder = Surroundings.variable("SIMULATOR_SHARED_RESOURCES_DIRECTORY") ?? "."
    let file = open(folder + "/storedRequests.jsonl", O_WRONLY | O_APPEND | O_CREAT, 0o600)
    write(Array(text.utf8), to: file)
    close(file)
  }

  private func print(_ text: String, to descriptor: Int32) {
    write(Array((text + "\n").utf8), to: descriptor)
  }

  private func write(_ id: Int, _ members: JSONObject) {
    write(line(id, members), to: STDOUT_FILENO)
  }

  private func line(_ id: Int, _ members: JSONObject) -> [UInt8] {
    var answer: JSONObject = ["jsonrpc": "2.0", "id": .integer(id)]
    for member in members.members { answer[member.key] = member.value }
    return JSONValue.object(answer).bytes() + [UInt8(ascii: "\n")]
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Surroundings.write(descriptor, $0) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
