import Foundation
import JSON
import TestSupport
import Testing

@Suite("audit asks how much could be otherwise without being noticed", .waitsForPrograms)
struct AuditTests {
  private func folder(_ scenario: String) throws -> FileFolder {
    try FileFolder.ofExample(["a.json": scenario])
  }

  private static let strong = """
    {
      "fixtures": { "FakeSearchResultResponse": "ModuleA.json" },
      "actions": [
        { "tap": "MyItemCell[0]/cartButton",
          "sends": [{ "url": "https://ad.example.com/click?ad=A-1&area=cart", "count": 1 }] }
      ]
    }
    """

  @Test("A scenario that names all it sends, exactly, notices every change")
  func strong() throws {
    let folder = try folder(Self.strong)
    defer { folder.remove() }
    let audit = try folder.run(["audit", "a.json", "--fail-under", "100"])
    #expect(audit.exitCode == 0, "\(audit.errors)")
    #expect(
      audit.output.hasSuffix("\n7 of 7 changes noticed (100.0 %), in 1 scenario\n"),
      "\(audit.output)")
  }

  @Test("Where nothing is judged, nothing is strong")
  func nothing() throws {
    let folder = try folder(
      #"{ "skip": "later", "actions": [], "expected": [{ "url": "https://x/", "count": 1 }] }"#)
    defer { folder.remove() }
    let audit = try folder.run(["audit", "a.json"])
    #expect(audit.exitCode == 0)
    #expect(audit.output.contains("nothing was judged"), "\(audit.output)")
    #expect(try folder.run(["audit", "a.json", "--fail-under", "1"]).exitCode == 1)
  }

  @Test("What isn't noticed is listed at its expectation, with what would notice it")
  func weak() throws {
    let folder = try folder(
      """
      {
        "fixtures": { "FakeSearchResultResponse": "ModuleA.json" },
        "actions": [{ "tap": "MyItemCell[0]/cartButton" }],
        "expected": [
          { "urlPath": "/click", "queryParameters": { "ad": { "matches": "A.*" } },
            "count": { "atLeast": 1 } }
        ]
      }
      """)
    defer { folder.remove() }
    let audit = try folder.run(["audit", "a.json"])
    #expect(audit.exitCode == 0, "\(audit.errors)")
    #expect(
      audit.output.hasPrefix(
        """
        a.json:5:5 GET https://ad.example.com/click?ad=A-1&area=cart
          sent twice: give it an exact "count"
          sent by another action: list it in the "sends" of tap MyItemCell[0]/cartButton
          another value of parameter "ad": add "queryParameters": {"ad": {"equalTo": …}}, or write the whole "url"
          another value of parameter "area": add "queryParameters": {"area": {"equalTo": …}}, or write the whole "url"
          without parameter "area": add "queryParameters": {"area": {"equalTo": …}}, or write the whole "url"

        """), "\(audit.output)")
    #expect(
      audit.output.contains(
        """
        URLs in fixtures that no scenario expects:
          ModuleA.json: https://ad.example.com/click?ad=A-1&area=item

        """) || audit.output.contains("ModuleA.json: https://ad.example.com/impression?ad=A-1"),
      "\(audit.output)")
    #expect(audit.output.contains("elements that no action names:"))
    #expect(audit.output.hasSuffix("\n2 of 7 changes noticed (28.5 %), in 1 scenario\n"))
    #expect(try folder.run(["audit", "a.json", "--fail-under", "50"]).exitCode == 1)
    let json = try JSONValue(
      parsing: folder.run(["audit", "a.json", "--json"]).output.utf8)
    #expect(json["changes"] == 7 && json["noticed"] == 2)
    #expect(json["survivors"]?.array?.count == 5)
    #expect(json["survivors"]?.array?.first?["place"] == "a.json:5:5")
  }

  @Test("A request is told at the expectation of its own action, and with the cases that it is of")
  func places() throws {
    let folder = try folder(
      """
      {
        "fixtures": { "FakeSearchResultResponse": "ModuleA.json" },
        "cases": [{ "name": "one" }, { "name": "two" }],
        "actions": [
          { "tap": "MyItemCell[0]/cartButton",
            "sends": [{ "urlPath": "/click", "otherParameters": false,
              "queryParameters": { "ad": { "equalTo": "A-1" }, "area": { "matches": ".*" } },
              "count": 1 }] },
          { "advanceClock": 0.5 },
          { "tap": "MyItemCell[0]/cartButton",
            "sends": [{ "url": "https://ad.example.com/click?ad=A-1&area=cart", "count": 1 }] }
        ]
      }
      """)
    defer { folder.remove() }
    let audit = try folder.run(["audit", "a.json"])
    #expect(audit.exitCode == 0, "\(audit.errors)")
    #expect(
      audit.output.hasPrefix(
        """
        a.json:6:17 GET https://ad.example.com/click?ad=A-1&area=cart
          another value of parameter "area": add "queryParameters": {"area": {"equalTo": …}}, or write the whole "url" [one, two]

        """), "\(audit.output)")
  }

  @Test("Events are changed one by one, not the request that carries them")
  func events() throws {
    let folder = try folder(Self.strong)
    defer { folder.remove() }
    let expected = """
      [
          { "event": "link", "where": { "parameters.link": "home" }, "count": 1 },
          { "event": "link", "where": { "parameters.link": { "matches": "home/.*" } }, "count": 1 }
        ]
      """
    try folder.write(
      RecordTests.links.replacing("[]", with: expected), to: "events.json")
    let audit = try folder.run(["audit", "events.json"])
    #expect(audit.exitCode == 0, "\(audit.errors)\(audit.output)")
    #expect(
      audit.output.hasPrefix(
        """
        events.json:15:5 event "link"
          sent by another action: list it in the "sends" of advanceClock 10.0 s
        events.json:16:5 event "link"
          sent by another action: list it in the "sends" of advanceClock 10.0 s
          another value of $.parameters.link: add "where": {"parameters.link": …}

        """), "\(audit.output)")
  }

  @Test("An event is changed wherever it is sent again, in what makes a difference")
  func repeatedEvents() throws {
    let folder = try folder(Self.strong)
    defer { folder.remove() }
    try folder.write(
      """
      {
        "arguments": ["-analytics"],
        "fixtures": { "FakeSearchResultResponse": "ModuleWithoutAds.json" },
        "stubs": "AnalyticsFails.json",
        "decoders": { "segment": true },
        "actions": [
          { "launch": true, "sends": [{ "event": "Screen Viewed", "count": 1 }] },
          { "background": true, "sends": [] },
          { "advanceClock": 7, "sends": [] }
        ],
        "expected": [{ "event": "Screen Viewed", "where": { "type": "track" }, "count": 1 }]
      }
      """, to: "events.json")
    let audit = try folder.run(["audit", "events.json"])
    #expect(audit.exitCode == 0, "\(audit.errors)\(audit.output)")
    #expect(
      audit.output.hasPrefix(
        """
        events.json:7:33 event "Screen Viewed"
          another value of $.anonymousId: add "where": {"anonymousId": …}
          without $.anonymousId: add "where": {"anonymousId": …}
          another value of $.properties.screen: add "where": {"properties.screen": …}
          without $.properties.screen: add "where": {"properties.screen": …}

        """), "\(audit.output)")
  }

  @Test("A scenario that doesn't pass isn't audited, and says so")
  func failing() throws {
    let folder = try folder(Self.strong.replacing(#""count": 1"#, with: #""count": 2"#))
    defer { folder.remove() }
    let audit = try folder.run(["audit", "a.json"])
    #expect(audit.exitCode == 1)
    #expect(audit.output.hasPrefix("not audited, since it doesn't pass: a.json\n"))
  }
}
