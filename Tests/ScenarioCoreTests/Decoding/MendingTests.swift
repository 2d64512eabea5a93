import ScenarioCore
import SourceText
import Testing

@Suite struct MendingTests {
  private func mend(_ text: String, _ files: FilesInMemory = FilesInMemory()) -> FileMender {
    ScenarioDecoder(files: files).mend(SourceFile(path: "cart.json", text: text))
  }

  @Test("What is mechanical is mended; comments, order and layout stay")
  func mechanical() {
    let mender = mend(
      """
      {
      \t// The cart.
        "nmae" : "Cart", /* in seconds */ "timeout": "5",
        'tags': [“ads”, "x" "y",, True],
        actions: [ { "tapp": "cart" /* button */ }; { "longPress"= "a", "duration": "2", "duration": "2" }
          { "swipe": "rigth" } ],
        "expected": [ { "url": "/x", "count": "1" } ]  // last
      }
      """)
    #expect(
      mender.mended["cart.json"]?.bytes
        == Array(
          """
          {
          \t// The cart.
            "name" : "Cart", /* in seconds */ "timeout": 5,
            "tags": ["ads", "x", "y", true],
            "actions": [ { "tap": "cart" /* button */ }, { "longPress": "a", "duration": 2 },
              { "swipe": "right" } ],
            "expected": [ { "url": "/x", "count": 1 } ]  // last
          }
          """.utf8))
    #expect(
      mender.remaining.map(\.message) == [
        "\"tags\", entry 4, wants a string that is not empty, found true."
      ])
  }

  @Test("A byte-order mark and CRLF line ends stay")
  func lineEnds() {
    let mender = mend("\u{FEFF}{\r\n\"acitons\": [],\r\n\"expected\": []\r\n}\r\n")
    #expect(
      mender.mended["cart.json"]?.bytes
        == Array("\u{FEFF}{\r\n\"actions\": [],\r\n\"expected\": []\r\n}\r\n".utf8))
    #expect(mender.remaining.isEmpty)
  }

  @Test("Where there is a choice, nothing is changed")
  func choice() {
    for text in [
      #"{"actions": [{"waitForNoExistence": "a"}], "expected": []}"#,
      #"{"actions": [{"repeat": 1, "actions": [], "repeat": 2}], "expected": []}"#,
      #"{"actions": [{"tap": "${hots}"}], "expected": [], "variables": {"host": 1}}"#,
      #"{"actions": [], "expected": [] "#,
    ] {
      let mender = mend(text)
      #expect(mender.mended.isEmpty)
      #expect(mender.solved.isEmpty)
      #expect(!mender.remaining.isEmpty)
    }
  }

  @Test("Steps files are mended along")
  func stepsFiles() {
    let files = FilesInMemory(contents: ["s.json": #"{"actions": [{"tpa": "a"}]}"#])
    let mender = mend(#"{"actions": [{"use": "s.json"}], "expected": []}"#, files)
    #expect(mender.mended.keys.sorted() == ["s.json"])
    #expect(mender.mended["s.json"]?.bytes == Array(#"{"actions": [{"tap": "a"}]}"#.utf8))
    #expect(mender.remaining.isEmpty)
  }
}
