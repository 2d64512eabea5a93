#if os(Linux)
  import Foundation
  import ScenarioCore
  import TestSupport
  import Testing

  @testable import ScenarioRunner

  @Suite("Nothing that an app starts reaches the network", .waitsForPrograms)
  struct SealTests {
    struct Way: Sendable, CustomTestStringConvertible {
      var name: String
      var program = "outgoing-app"
      /// Where to, the port of the server as `PORT`.
      var target: String

      var testDescription: String { name }
    }

    /// Each connects or sends to a server of this machine.
    static let ways: [Way] = [
      Way(name: "sharedSession", target: "127.0.0.1 port PORT (TCP)"),
      Way(name: "contentsOfURL", target: "127.0.0.1 port PORT (TCP)"),
      Way(name: "curl", program: "curl", target: "127.0.0.1 port PORT (TCP)"),
      Way(name: "namelessCurl", program: "curl", target: "127.0.0.1 port PORT (TCP)"),
      Way(name: "tcp", target: "127.0.0.1 port PORT (TCP)"),
      Way(name: "nonBlockingTCP", target: "127.0.0.1 port PORT (TCP)"),
      Way(name: "threadedTCP", target: "127.0.0.1 port PORT (TCP)"),
      Way(name: "fastOpen", target: "127.0.0.1 port PORT (TCP)"),
      Way(name: "udp", target: "127.0.0.1 port PORT (UDP)"),
      Way(name: "connectedUDP", target: "127.0.0.1 port PORT (UDP)"),
      Way(name: "boundUDP", target: "127.0.0.1 port PORT (UDP)"),
      Way(name: "message", target: "127.0.0.1 port PORT (UDP)"),
      Way(name: "messages", target: "127.0.0.1 port PORT (UDP)"),
    ]

    private func run(
      _ way: String, _ server: LoopbackServer, at moment: String = "tap",
      network: NetworkAccess = .sealed(ignoredHosts: []),
      seals: Set<NetworkSeal> = Set(NetworkSeal.allCases)
    ) throws -> ScenarioResult {
      let suite = try Suite()
      let path = try suite.folder.write(
        #"{"app": ["outgoing-app", "\#(way)", "\#(server.port)", "\#(moment)"], "#
          + #""actions": [{"tap": "button"}], "expected": []}"#, to: "outgoing.json")
      return try #require(try suite.run([path], network: network, seals: seals).first)
    }

    private func error(_ result: ScenarioResult) throws -> RunError {
      try #require(
        result.runErrors.first,
        "\(String(decoding: result.output.standardError.head, as: UTF8.self))")
    }

    @Test(
      "but is refused, and makes the scenario errored with who, where and when", arguments: ways)
    func refused(way: Way) throws {
      let server = try LoopbackServer()
      defer { server.stop() }
      let result = try run(way.name, server)
      #expect(server.visits == 0)
      #expect(result.verdict == .errored)
      let error = try error(result)
      #expect(error.kind == .networkAttempt)
      let target = way.target.replacing("PORT", with: "\(server.port)")
      #expect(
        error.message == "\(way.program) tried to reach \(target) past the URLSessions that are "
          + "intercepted, and was refused. Send it through a URLSession of the kit; or say in "
          + #".scenario-run.json what is to become of it: "network": {"ignored": ["127.0.0.1"]} "#
          + #"refuses it without failing scenarios, "network": "open" lets everything pass."#)
      #expect(error.step?.title == "tap button")
      #expect(error.attempts.count == 1)
    }

    @Test("unless the configuration opens the network", arguments: ways)
    func open(way: Way) throws {
      let server = try LoopbackServer()
      defer { server.stop() }
      let result = try run(way.name, server, network: .open)
      #expect(result.verdict == .passed)
      #expect(server.visits > 0)
    }

    @Test("and what the configuration ignores is refused as well", arguments: ways)
    func ignored(way: Way) throws {
      let server = try LoopbackServer()
      defer { server.stop() }
      let result = try run(
        way.name, server, network: .sealed(ignoredHosts: ["10.*", "127.0.0.*"]))
      #expect(result.verdict == .passed)
      #expect(server.visits == 0)
    }

    @Test("the lookup of a name is told with the name", arguments: ["lookup", "lookupOfOneKind"])
    func lookup(way: String) throws {
      let server = try LoopbackServer()
      defer { server.stop() }
      let error = try error(try run(way, server))
      #expect(
        error.message.hasPrefix("outgoing-app tried to look up ads.example.com (DNS) past "))
      #expect(error.attempts.map(\.count) == [1])
      let ignored = NetworkAccess.sealed(ignoredHosts: ["*.Example.com"])
      #expect(try run(way, server, network: ignored).verdict == .passed)
    }

    @Test(
      "what stays in the machine is let alone", arguments: ["local", "server", "sorting", "pair"])
    func local(way: String) throws {
      let server = try LoopbackServer()
      defer { server.stop() }
      let result = try run(way, server)
      #expect(result.verdict == .passed)
      let said = String(decoding: result.output.standardError.head, as: UTF8.self)
      let expected = [
        "local": "local: 150 bytes, 100 of them read; connected\n", "server": "server: listening\n",
        "sorting": "sorting: found\n", "pair": "pair: 1 byte\n",
      ]
      #expect(said == expected[way])
    }

    @Test(
      "a socket that another process could answer for isn't the process's own",
      arguments: ["sharedPair", "pairOfParent"])
    func foreignReceiver(way: String) throws {
      let server = try LoopbackServer()
      defer { server.stop() }
      let error = try error(try run(way, server))
      #expect(error.message.contains(/^outgoing-app tried to reach 127.0.0.1 port [0-9]+ \(UDP\)/))
    }

    @Test(
      "the launch and the end are told from the actions",
      arguments: [("initialize", "launch"), ("shutdown", "shutdown")])
    func moments(moment: String, cause: String) throws {
      let server = try LoopbackServer()
      defer { server.stop() }
      let error = try error(try run("tcp", server, at: moment))
      #expect(error.step == nil)
      #expect(error.attempts.map { "\($0.cause)" } == [cause])
    }

    @Test("in a namespace it reaches nothing either, but nobody is told", arguments: ways)
    func namespace(way: Way) throws {
      let server = try LoopbackServer()
      defer { server.stop() }
      let result = try run(way.name, server, seals: [.namespace])
      #expect(result.verdict == .passed)
      #expect(server.visits == 0)
    }

    @Test("a run says which seal holds")
    func header() throws {
      let cases: [(NetworkAccess, Set<NetworkSeal>, NetworkSeal)] = [
        (.sealed(ignoredHosts: []), Set(NetworkSeal.allCases), .systemCalls),
        (.sealed(ignoredHosts: []), [.namespace], .namespace),
        (.sealed(ignoredHosts: []), [], .none), (.open, Set(NetworkSeal.allCases), .open),
      ]
      for (network, seals, wanted) in cases {
        let suite = try Suite()
        _ = try suite.run([try suite.scenario(["none"])], network: network, seals: seals)
        guard case .runStarted(let header)? = suite.events.first else {
          Issue.record("no header")
          continue
        }
        #expect(header.seal == wanted)
      }
    }

    @Test("each process of an app is watched, and the action that started it is told")
    func relaunch() throws {
      let server = try LoopbackServer()
      defer { server.stop() }
      let suite = try Suite()
      let path = try suite.folder.write(
        #"{"app": ["outgoing-app", "tcp", "\#(server.port)", "initialize"], "#
          + #""actions": [{"tap": "a"}, {"relaunch": true}, {"tap": "b"}], "expected": []}"#,
        to: "relaunch.json")
      let result = try #require(try suite.run([path]).first)
      let causes = try error(result).attempts.map { attempt in
        if case .step(let step) = attempt.cause { "\(step.id)" } else { "\(attempt.cause)" }
      }
      #expect(causes == ["launch", "2"])
      #expect(server.visits == 0)
    }
  }
#endif
