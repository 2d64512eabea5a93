import Foundation
import Synchronization
import Testing

@testable import StubMappings

@Suite("Which stub answers")
struct ReplayTests {
  @Test("The lowest priority number wins; 5 where there is none")
  func priorities() throws {
    let (set, _) = decodedStubs(
      #"""
      {"mappings": [
        {"priority": 6, "request": {}, "response": {"body": "six"}},
        {"priority": 1, "request": {"urlPath": "/one"}, "response": {"body": "one"}},
        {"request": {"urlPath": "/five"}, "response": {"body": "five"}},
        {"priority": 4, "request": {"urlPath": "/four"}, "response": {"body": "four"}},
        {"request": {"urlPath": "/four"}, "response": {"body": "five"}}
      ]}
      """#)
    let replay = StubReplay(set)
    #expect(try replay.short("GET https://h/one") == "one")
    #expect(try replay.short("GET https://h/four") == "four")
    #expect(try replay.short("GET https://h/five") == "five")
    #expect(try replay.short("GET https://h/else") == "six")
  }

  @Test("Of equal ones the later wins, over several files too")
  func later() throws {
    let (set, _) = decodedStubs(
      #"{"request": {"urlPath": "/a"}, "response": {"body": "first file"}}"#,
      #"""
      {"mappings": [
        {"request": {"urlPath": "/a"}, "response": {"body": "earlier"}},
        {"request": {"urlPathPattern": "/.*"}, "response": {"body": "later"}}
      ]}
      """#)
    #expect(try StubReplay(set).short("GET https://h/a") == "later")
  }

  @Test("Responses come in order, the last one again and again")
  func sequence() throws {
    let (set, messages) = decodedStubs(
      #"{"request": {}, "responses": [{"body": "1"}, {"status": 503}, {"body": "3"}]}"#)
    #expect(messages.isEmpty)
    let replay = StubReplay(set)
    let answers = try (0..<5).map { _ in try replay.short("GET https://h/") }
    #expect(answers == ["1", "503", "3", "3", "3"])
  }

  @Test("State keys walk from Started through the named states")
  func states() throws {
    let (set, _) = decodedStubs(
      #"""
      {"mappings": [
        {"scenarioName": "list", "requiredScenarioState": "Started", "newScenarioState": "added",
         "request": {"method": "POST"}, "response": {"status": 201}},
        {"scenarioName": "list", "requiredScenarioState": "Started",
         "request": {"method": "GET"}, "response": {"body": "empty"}},
        {"scenarioName": "list", "requiredScenarioState": "added",
         "request": {"method": "GET"}, "response": {"body": "one"}},
        {"scenarioName": "list", "newScenarioState": "Started",
         "request": {"method": "DELETE"}, "response": {"status": 204}}
      ]}
      """#)
    let replay = StubReplay(set)
    let answers = try ["GET", "POST", "GET", "POST", "DELETE", "GET"].map {
      try replay.short("\($0) https://h/")
    }
    #expect(answers == ["empty", "201", "one", "-", "204", "empty"])
  }

  @Test("Threads that ask at once get each response of a sequence once")
  func concurrent() throws {
    let count = 500
    let responses = (0..<count).map { #"{"body": "\#($0)"}"# }.joined(separator: ",")
    let (set, _) = decodedStubs(#"{"request": {}, "responses": [\#(responses)]}"#)
    let replay = StubReplay(set)
    let answers = Answers()
    DispatchQueue.concurrentPerform(iterations: count) { _ in
      answers.add((try? replay.short("GET https://h/")) ?? "failed")
    }
    #expect(Set(answers.all).count == count)
  }

  private final class Answers: Sendable {
    private let texts = Mutex<[String]>([])
    func add(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
  }

  @Test("A pattern that can't decide is told, where it comes before what answers")
  func doubt() throws {
    let (set, _) = decodedStubs(
      #"""
      {"mappings": [
        {"request": {"bodyPatterns": [{"matches": "(a+)+"}]}, "response": {"body": "late"}},
        {"priority": 1, "request": {"urlPath": "/sure"}, "response": {"body": "sure"}}
      ]}
      """#)
    let body = String(repeating: "a", count: 40) + "!"
    #expect(throws: StubDoubt.self) { try StubReplay(set).short("POST https://h/ -- \(body)") }
    #expect(try StubReplay(set).short("POST https://h/sure -- \(body)") == "sure")
  }
}
