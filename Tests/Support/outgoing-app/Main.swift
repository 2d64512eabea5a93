import Foundation
import HarnessProtocol
import JSON

/// An app that leaves by a way of its own when it is tapped, past every session of the kit.
///
/// Usage: `outgoing-app WAY PORT [MOMENT]`; the moment is a request's method, or `now`, `tap` if absent. It
/// writes what became of it to stderr.
@main
struct Main {
  static func main() {
    // The bound on everything below.
    alarm(60)
    let words = CommandLine.arguments
    guard words.count > 2, let way = WayOut(rawValue: words[1]), let port = UInt16(words[2]) else {
      fatalError("usage: outgoing-app WAY PORT [MOMENT]")
    }
    let moment = words.count > 3 ? words[3] : "tap"
    if moment == "now" { return print(way.take(to: port)) }
    while let line = readLine() {
      guard let request = try? RPCLine.request(from: Array(line.utf8)) else { continue }
      if request.method == moment {
        FileHandle.standardError.write(Data("\(way): \(way.take(to: port))\n".utf8))
      }
      answer(request)
    }
  }

  private static func answer(_ request: RPCRequest) {
    var result: JSONValue = [:]
    if request.method == "initialize" {
      result = [
        "protocolVersion": .integer(harnessProtocolVersion),
        "app": ["name": "outgoing-app", "version": "1"], "actions": ["tap"],
      ]
    }
    let response = RPCResponse(id: request.id, result: .success(result))
    FileHandle.standardOutput.write(Data(RPCLine.bytes(of: response)))
  }
}
