import Foundation
import TestSupport
import Testing

@Suite("A played scenario", .waitsForPrograms)
struct PlayTests {
  private static let demo = #"""
    {
      "app": "demo-app",
      "fixtures": { "FakeSearchResultResponse": "ModuleA.json" },
      "actions": [
        // The ad's cart.
        { "tap": "MyItemCell[0]/cartButton" }
      ]
    }
    """#

  /// A folder with the example's fixtures, in which `printf COMMANDS | play FILE` is run.
  private func folder(_ files: [String: String]) throws -> FileFolder {
    let folder = try FileFolder(files)
    try folder.copyFixtures()
    return folder
  }

  private func play(
    _ folder: FileFolder, _ arguments: String, _ commands: String...
  ) throws -> BuiltProgram.Outcome {
    try folder.write(commands.map { $0 + "\n" }.joined(), to: "commands")
    return try folder.shell("\"$RUN\" play \(arguments) < commands")
  }

  @Test(
    "shows what each action changed on screen and sent, and the launch keys that were asked for")
  func replay() throws {
    let folder = try folder(["a.json": Self.demo])
    defer { folder.remove() }
    let outcome = try play(folder, "a.json", "waitForExistence cartToast", "undo", "screen")
    #expect(outcome.exitCode == 0)
    #expect(outcome.errors == "")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(3) == ["launch", "  asked for", "    FakeSearchResultResponse: ModuleA.json"])
    #expect(
      outcome.output.contains(
        """
        1 tap MyItemCell[0]/cartButton
          sent
            GET https://ad.example.com/click?ad=A-1&area=cart  200 (no stub) at 0.001 s
        2 waitForExistence cartToast
          sent
            GET https://ad.example.com/impression?ad=A-1  200 (no stub) at 1.000 s
          on screen
            +  41 cartToast  StaticText "Added to your cart"
        Undone: waitForExistence cartToast
          -  41 cartToast  StaticText "Added to your cart"
          1 SearchResultViewController  Other

        """), "\(outcome.output)")
    // No escape codes in a pipe.
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test("shows the nearest stub of a request that none answered, and what the app couldn't decode")
  func doubts() throws {
    let folder = try FileFolder([
      "near.json": #"{"app": "demo-app", "stubs": "near.json", "actions": []}"#,
      "Fixtures/near.json": """
      {"mappings": [{"request": {"url": "https://shop.example.com/api/search?query=x"},
        "response": {"status": 200}}]}
      """,
      "odd.json": #"""
      {"app": "demo-app", "fixtures": {"FakeSearchResultResponse": "odd.json"}, "actions": []}
      """#,
      "Fixtures/odd.json": #"{"modules": [{"id": 5}]}"#,
    ])
    defer { folder.remove() }
    let near = try play(folder, "near.json")
    #expect(near.output.contains("no stub; nearest: near.json:1"), "\(near.output)")
    let odd = try play(folder, "odd.json")
    #expect(odd.output.contains("  couldn't decode\n    Fixtures/odd.json:1:"), "\(odd.output)")
    #expect(odd.output.contains("^"))
  }

  @Test("goes on after a mistake, which changes nothing, and says what may have been meant")
  func mistakes() throws {
    let folder = try folder(["a.json": Self.demo])
    defer { folder.remove() }
    let outcome = try play(
      folder, "--until 0 a.json", "tpa cartButton", "tap cartButon",
      "waitForExistence toast timeout 90",
      "scren", "searchButton", "\u{1B}[A", "9", "exit", "9")
    #expect(outcome.exitCode == 0)
    #expect(!outcome.output.contains("2 tap"))
    for text in [
      "\"tpa\" isn't a verb. Did you mean \"tap\"?\n  tpa cartButton\n  ^^^\n",
      "No element \"cartButon\" is on screen. Closest on screen: \"cartButton\".\n  It was undone.",
      "\"toast\" did not appear", "Did you mean \"screen\"?", "To tap it: tap searchButton",
      "Arrow keys don't work here.",
      // By the app's clock, no time has passed.
      "1 tap MyItemCell[0]/cartButton\n  sent\n    GET https://ad.example.com/click?ad=A-1&area=cart"
        + "  200 (no stub) at 0.001 s",
    ] {
      #expect(outcome.output.contains(text), "\(text) in \(outcome.output)")
    }
  }

  @Test("shows paths by which the app finds exactly these elements")
  func paths() throws {
    let folder = try folder([
      "a.json": Self.demo.replacing("ModuleA", with: "ModulesABC").replacing(
        "cartButton", with: "adBadge"
      )
      .replacing("\"tap\"", with: "\"assertExists\"")
    ])
    defer { folder.remove() }
    let screen = try play(folder, "a.json", "screen").output.split(separator: "\n")
    let line = /^ *[0-9]+ (?<path>[^ ]+)  [A-Za-z]+ "(?<label>[^"]+)"/
    let asserts = screen.compactMap { $0.firstMatch(of: line) }.map {
      "assertText \"\($0.path)\" equals \"\($0.label)\"\n"
    }
    #expect(asserts.count > 20)
    try folder.write(asserts.joined(), to: "commands")
    let outcome = try folder.shell("\"$RUN\" play a.json < commands")
    #expect(!outcome.output.contains("It was undone."), "\(outcome.output)")
    #expect(outcome.output.contains("\n\(asserts.count + 1) assertText "))
  }

  @Test("shows a crash with what the app said last, and undoes it")
  func crash() throws {
    let folder = try folder([
      "a.json": #"{"app": ["faulty-app", "exitWith3", "swipe"], "actions": []}"#
    ])
    defer { folder.remove() }
    let outcome = try play(folder, "a.json", "tap b", "swipe up", "tap b", "undo", "tap c")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.contains(
        """
        2 swipe up
          The app exited with code 3 before it answered "swipe".
            its stderr ended with
              last words
          "undo" takes the last command back.
        The app has ended: "undo" takes the last command back.
        Undone: swipe up
        2 tap c
          nothing was sent

        """), "\(outcome.output)")
  }

  @Test("fails where its own actions can't be replayed and no command goes on")
  func failure() throws {
    let folder = try folder([
      "a.json": #"{"app": "demo-app", "actions": [{"tap": "nothing"}, {"background": true}]}"#
    ])
    defer { folder.remove() }
    let stuck = try play(folder, "a.json")
    #expect(stuck.exitCode == 1)
    #expect(stuck.output.contains("No element \"nothing\" is on screen."))
    #expect(stuck.output.contains("  The replay stops before it.\n"))
    #expect(!stuck.output.contains("background"))
    #expect(try play(folder, "a.json", "foreground").exitCode == 0)
  }

  @Test("goes on before an action of its own that ends the app")
  func crashOfItsOwn() throws {
    let folder = try folder([
      "a.json": #"{"app": ["faulty-app", "abort"], "actions": [{"swipe": "up"}, {"tap": "b"}]}"#
    ])
    defer { folder.remove() }
    #expect(try play(folder, "a.json").exitCode == 1)
    let outcome = try play(folder, "a.json", "swipe down", "undo", "swipe down")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains("SIGABRT"))
    #expect(outcome.output.contains("The app has ended"))
    #expect(outcome.output.hasSuffix("2 swipe down\n  nothing was sent\n"), "\(outcome.output)")
  }

  @Test(
    "is refused where it can't be played",
    arguments: [
      ("", 2, "play takes one FILE"), ("wrong.json", 3, "did you mean \"tap\"?"),
      ("cases.json", 2, "cases.json:1, cases.json:2"), ("--until x a.json", 2, "--until can't be"),
    ])
  func refused(arguments: String, code: Int32, message: String) throws {
    let folder = try folder([
      "a.json": Self.demo, "wrong.json": #"{"app": "demo-app", "actions": [{"tpa": "x"}]}"#,
      "cases.json":
        #"{"app": "demo-app", "cases": [{"x": "a"},"# + "\n"
        + #"{"x": "b"}], "actions": [{"tap": "${x}"}]}"#,
    ])
    defer { folder.remove() }
    let outcome = try play(folder, arguments)
    #expect(outcome.exitCode == code)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test("keeps what wasn't saved, and offers it the next time")
  func draft() throws {
    let folder = try folder(["a.json": Self.demo])
    defer { folder.remove() }
    let first = try play(folder, "a.json", "waitForExistence cartToast", "tap searchButton")
    #expect(first.errors.contains("2 commands aren't saved, but kept in a.json.play."))
    let draft = "{\"waitForExistence\":\"cartToast\"}\n{\"tap\":\"searchButton\"}\n"
    #expect(try folder.text("a.json.play") == draft)
    let second = try play(folder, "a.json", "restore", "undo", "undo")
    #expect(second.output.contains("An earlier session left 2 commands"))
    #expect(second.output.contains("3 tap searchButton\n"))
    #expect(second.errors == "")
    #expect(!folder.has("a.json.play"))
    // Who does something else first has it beside.
    try folder.write(draft, to: "a.json.play")
    _ = try play(folder, "a.json", "tap searchButton")
    #expect(try folder.text("a.json.play.old") == draft)
    _ = try play(folder, "a.json", "discard")
    #expect(!folder.has("a.json.play"))
  }

  @Test(
    "loses nothing when the terminal is gone, or nobody reads on", arguments: [SIGHUP, SIGTERM])
  func disconnected(signal: Int32) throws {
    let folder = try folder(["a.json": Self.demo])
    defer { folder.remove() }
    let line = "mkfifo in; exec 3<>in; echo 'tap searchButton' >&3; exec \"$RUN\" play a.json <in"
    let program = try RunningProgram(
      "/bin/sh", ["-c", line], folder: folder.path,
      environment: ["PATH": "/usr/bin:/bin", "RUN": BuiltProgram.path(of: "scenario-run")])
    #expect(program.waitForOutput("2 tap searchButton\n"))
    program.send(signal)
    #expect(program.waitForExit() == (signal == SIGTERM ? 143 : 130))
    #expect(try folder.text("a.json.play") == "{\"tap\":\"searchButton\"}\n")
  }

  @Test("is saved as a scenario with what each action sent, which passes when it is run")
  func saved() throws {
    let folder = try folder([
      ".scenario-run.json":
        #"{"app": "demo-app", "tracking": ["ad.example.com", "track.example.com"]}"#
    ])
    defer { folder.remove() }
    let outcome = try play(
      folder, "cart.json", "fixtures FakeSearchResultResponse ModulA.json",
      "fixtures FakeSearchResultResponse ModuleA.json", "tap MyItemCell[0]/cartButton",
      "waitForExistence cartToast", "assertText cartToast equals Added to your cart", "save")
    #expect(outcome.exitCode == 0)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("\"fixtures FakeSearchResultResponse FILE\" gives the app"))
    #expect(outcome.output.contains("Did you mean \"ModuleA.json\", \"Mod"))
    #expect(outcome.output.contains("Saved in cart.json:\npassed   cart  "))
    #expect(
      try folder.text("cart.json") == """
        {
          "fixtures": {
            "FakeSearchResultResponse": "ModuleA.json"
          },
          "actions": [
            { "launch": true, "sends": [] },
            { "tap": "MyItemCell[0]/cartButton",
              "sends": [{ "url": "https://ad.example.com/click?ad=A-1&area=cart", "count": 1 }] },
            { "waitForExistence": "cartToast",
              "sends": [{ "url": "https://ad.example.com/impression?ad=A-1", "count": 1 }] },
            { "assertText": "cartToast", "equals": "Added to your cart" }
          ]
        }

        """)
    #expect(!folder.has("cart.json.play"))
    #expect(try folder.run(["cart.json"]).exitCode == 0)
    // What is saved is gone on with.
    let more = try play(folder, "cart.json", "waitForNonExistence cartToast", "save")
    #expect(more.output.contains("4 waitForNonExistence cartToast\n"))
    #expect(try folder.text("cart.json").contains("\"sends\": [] }\n  ]\n}\n"))
    #expect(try folder.run(["cart.json"]).exitCode == 0)
  }

  @Test("is saved in a file as it is written: with its comments, and not over what it has")
  func edited() throws {
    let folder = try folder(["a.json": Self.demo, "b.json": "{}"])
    defer { folder.remove() }
    let left = try play(folder, "--until 0 a.json", "background", "save")
    #expect(left.output.contains("a.json has 1 more action. Remove them? Nothing was written"))
    #expect(left.exitCode == 1)
    #expect(try folder.text("a.json") == Self.demo)
    let other = try play(folder, "a.json", "restore", "save b.json", "save c.json", "quit")
    #expect(
      other.output.contains("There is a file b.json already. Replace it? Nothing was written"))
    #expect(try folder.text("b.json") == "{}")
    #expect(try folder.text("a.json") == Self.demo)
    #expect(other.exitCode == 0)
    #expect(
      try folder.text("c.json")
        == Self.demo.replacing(
          "cartButton\" }", with: "cartButton\" },\n    { \"background\": true, \"sends\": [] }"))
    #expect(try play(folder, "--force a.json", "background", "save b.json").exitCode == 0)
    #expect(try folder.text("b.json") == folder.text("c.json"))
  }

  @Test("isn't saved over what somebody else wrote meanwhile")
  func changedMeanwhile() throws {
    let folder = try folder(["a.json": Self.demo])
    defer { folder.remove() }
    let line = "mkfifo in; exec 3<>in; echo 'background' >&3; exec \"$RUN\" play a.json <in"
    let program = try RunningProgram(
      "/bin/sh", ["-c", line], folder: folder.path,
      environment: ["PATH": "/usr/bin:/bin", "RUN": BuiltProgram.path(of: "scenario-run")])
    #expect(program.waitForOutput("2 background\n"))
    try folder.write(Self.demo + "\n", to: "a.json")
    let input = try FileHandle(forWritingTo: URL(filePath: folder.path + "/in"))
    try input.write(contentsOf: Data("save\nquit\n".utf8))
    #expect(program.waitForExit() == 1)
    #expect(program.output.contains("a.json was changed by somebody else since it was read."))
    #expect(try folder.text("a.json") == Self.demo + "\n")
    #expect(folder.has("a.json.play"))
  }

  @Test("that fails when it is saved says so")
  func failing() throws {
    let folder = try folder([
      "a.json": #"""
      {"app": "demo-app", "fixtures": {"FakeSearchResultResponse": "ModuleA.json"}, "actions": [],
       "expected": [{"url": "https://ad.example.com/click?ad=A-1&area=cart", "count": 2}]}
      """#
    ])
    defer { folder.remove() }
    let outcome = try play(folder, "a.json", "tap MyItemCell[0]/cartButton", "save")
    #expect(outcome.output.contains("Saved in a.json:\nFAILED   a  "))
    #expect(outcome.output.contains("wanted 2, got 1"))
    #expect(try folder.run(["a.json"]).exitCode == 1)
  }

  /// Gives a program a terminal.
  private static let script = "/usr/bin/script"

  @Test(
    "has a prompt on a terminal, and ends with it",
    .enabled(
      if: FaultMachine.isLinux && FileManager.default.isExecutableFile(atPath: script),
      "the script of util-linux is not here"))
  func terminal() throws {
    let folder = try folder([
      "a.json": #"{"app": ["faulty-app", "abort", "swipe"], "actions": []}"#
    ])
    defer { folder.remove() }
    try folder.write("tap b\nswipe up\nundo\ntap Button\n", to: "commands")
    let outcome = try folder.shell(
      "script=\(Self.script); $script -qec \"'$RUN' play a.json\" /dev/null < commands")
    let output = outcome.output.replacing("\r", with: "")
    #expect(output.contains("> "))
    #expect(output.contains("The app was ended by SIGABRT (abort) before it answered \"swipe\"."))
    #expect(output.contains("Undone: swipe up"))
    #expect(output.contains("2 tap Button"))
    #expect(output.contains("2 commands aren't saved, but kept in"))
    #expect(outcome.exitCode == 0)
  }
}
