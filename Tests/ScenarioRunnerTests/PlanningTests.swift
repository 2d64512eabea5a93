import Foundation
import ScenarioCore
import TestSupport
import Testing

@testable import ScenarioRunner

@Suite("What runs")
struct PlanningTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      #"{"name": "A", "tags": ["x"], "actions": [], "expected": [{"url": "/none", "count": 0}]}"#,
      to: "a.json")
    try folder.write(
      """
      {"name": "B", "tags": ["x", "y"],
       "cases": [
         {"name": "one", "n": "1"},
         {"name": "two", "n": "2"}
       ],
       "actions": [{"tap": "b${n}"}], "expected": []}
      """, to: "sub/b.json")
    try folder.write(
      """
      {"name": "C", "cases": "rows.csv", "actions": [{"tap": "c${n}"}], "expected": []}
      """, to: "c.json")
    try folder.write("name,n\nred,1\nblue,2\n", to: "rows.csv")
    try folder.write(#"{"actions": []}"#, to: "Steps/s.json")
    try folder.write(
      #"{"name": "D", "actions": [], "expected": [{"url": "/none", "count": 0}]}"#,
      to: "Steps/d.json")
    try folder.write("not a scenario", to: "notes.txt")
  }

  private func names(_ paths: [String], _ selection: Selection = Selection()) throws -> [String] {
    let files = LocalFiles()
    let found = try Discovery(files: files)
      .discover(paths.map { ScenarioPath(folder.path + "/" + $0, among: files) })
    let plan = Planner(files: files, fixturesDirectory: folder.path)
      .plan(found, selecting: selection)
    #expect(plan.diagnostics.isEmpty)
    return plan.entries.map(\.reference.name)
  }

  @Test("has what says more than steps files do, in their folders too")
  func scenarioAmongSteps() throws {
    try folder.write(#"{"name": "E", "actions": [{"tap": "e"}]}"#, to: "Steps/e.json")
    #expect(try names(["Steps"]) == ["D", "E"])
  }

  @Test(
    "is what the PATHs mean",
    arguments: [
      ([""], ["D", "A", "C [red]", "C [blue]", "B [one]", "B [two]"]),
      (["a.json"], ["A"]),
      (["a.json:1"], ["A"]),
      (["sub/b.json:3"], ["B [one]"]),
      (["sub/b.json:4"], ["B [two]"]),
      (["sub/b.json:4:10"], ["B [two]"]),
      (["sub/b.json:3:1", "sub/b.json:4"], ["B [one]", "B [two]"]),
      (["rows.csv:3:1"], ["C [blue]"]),
      (["sub/b.json:4", "sub/b.json:3"], ["B [one]", "B [two]"]),
      (["sub/b.json:4", "sub/b.json"], ["B [one]", "B [two]"]),
      (["rows.csv:3"], ["C [blue]"]),
      (["rows.csv"], ["C [red]", "C [blue]"]),
      (["Steps/s.json"], []),
      (["sub", "a.json"], ["B [one]", "B [two]", "A"]),
      (["sub", "./sub/../sub/b.json", "sub/../a.json", "a.json"], ["B [one]", "B [two]", "A"]),
    ])
  func paths(paths: [String], expected: [String]) throws {
    #expect(try names(paths) == expected)
  }

  @Test(
    "is the file of that very name before a place in another",
    arguments: [
      (["d.json:1", "d.json:1:2"], "d.json:1:2", "d.json:1:2", nil),
      (["d.json:1"], "d.json:1:2", "d.json:1", 2),
      ([], "d.json:1:2", "d.json", 1),
      (["d.json:1"], "d.json:1", "d.json:1", nil),
    ] as [([String], String, String, Int?)])
  func colons(files: [String], path: String, file: String, line: Int?) throws {
    for file in files { try folder.write("", to: file) }
    let found = ScenarioPath(folder.path + "/" + path, among: LocalFiles())
    #expect(found == ScenarioPath(path: folder.path + "/" + file, line: line))
  }

  @Test("a PATH that leads nowhere is named without its line and column")
  func nowhere() throws {
    let path = ScenarioPath(folder.path + "/none.json:8:17", among: LocalFiles())
    #expect(path == ScenarioPath(path: folder.path + "/none.json", line: 8))
  }

  @Test(
    "a line in no case is said, with those that are in one",
    arguments: [
      (["sub/b.json:1"], "sub/b.json", 1, "3, 4"), (["sub/b.json:99"], "sub/b.json", 99, "3, 4"),
      (["a.json", "sub/b.json:3", "sub/b.json:6"], "sub/b.json", 6, "3, 4"),
      (["rows.csv:1"], "rows.csv", 1, "2, 3"), (["rows.csv:9", "a.json"], "rows.csv", 9, "2, 3"),
      (["c.json:1"], "c.json", 1, "2, 3 of FOLDER/rows.csv"),
    ])
  func unknownLine(paths: [String], file: String, line: Int, lines: String) throws {
    let files = LocalFiles()
    let found = try Discovery(files: files)
      .discover(paths.map { ScenarioPath(folder.path + "/" + $0, among: files) })
    let plan = Planner(files: files, fixturesDirectory: folder.path)
      .plan(found, selecting: Selection())
    let lines = lines.replacing("FOLDER", with: folder.path)
    #expect(
      plan.unknownLines.map(\.description) == [
        "No case is on line \(line) of \"\(folder.path)/\(file)\": they begin on lines \(lines). "
          + "Name one of these, or the file without a line."
      ])
  }

  @Test("in a file without cases, each line means the scenario, and no line after its last")
  func onlyScenario() throws {
    try folder.write("{\"name\": \"E\",\n\"actions\": [{\"tap\": \"a\"}]}\n", to: "e.json")
    for line in 1...3 { #expect(try names(["e.json:\(line)"]) == ["E"]) }
    let files = LocalFiles()
    let found = try Discovery(files: files)
      .discover([ScenarioPath(folder.path + "/e.json:4", among: files)])
    let plan = Planner(files: files, fixturesDirectory: folder.path)
      .plan(found, selecting: Selection())
    #expect(
      plan.unknownLines.map(\.description) == [
        "There is no line 4 in \"\(folder.path)/e.json\", which has 3. Name one of these, or the file "
          + "without a line."
      ])
  }

  @Test("files whose names Unicode takes for the same are two files")
  func spellings() throws {
    let paths = ["\u{e9}.json", "e\u{301}.json"]
    for (number, path) in paths.enumerated() {
      _ = try folder.write(#"{"name": "\#(number)", "actions": [{"tap": "a"}]}"#, to: path)
    }
    #expect(try names(paths) == ["0", "1"])
    #expect(try names(paths.reversed()) == ["1", "0"])
    #expect(Set(try names([""])).isSuperset(of: ["A", "0", "1"]))
  }

  @Test("a link back to a folder above is not followed")
  func circle() throws {
    let link = folder.path + "/sub/back"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
    #expect(try names(["sub"]) == ["B [one]", "B [two]", "D", "A", "C [red]", "C [blue]"])
  }

  @Test("a file that is removed after it was found is an error, and the others are planned")
  func vanished() throws {
    let files = LocalFiles()
    // Of several PATHs all files are found before the first is read.
    let found = try Discovery(files: files)
      .discover([folder.path, folder.path + "/sub"].map { ScenarioPath(path: $0) })
    try FileManager.default.removeItem(atPath: folder.path + "/a.json")
    let plan = Planner(files: files, fixturesDirectory: folder.path)
      .plan(found, selecting: Selection())
    #expect(plan.entries.count == 6)
    #expect(plan.hasInvalidFiles)
    #expect(
      plan.diagnostics.map(\.message) == [
        "The file can't be read: No such file or directory. It was removed meanwhile, or it is a link "
          + "that leads nowhere."
      ])
  }

  @Test("a PATH that leads nowhere is said", arguments: ["none.json", "sub:3"])
  func nowhere(path: String) {
    #expect(throws: Discovery.Failure.self) { try names([path]) }
  }

  @Test("tags, texts and selectors choose")
  func choice() throws {
    #expect(try names([""], Selection(tags: ["y"])) == ["B [one]", "B [two]"])
    #expect(try names([""], Selection(tags: ["x"], skippedTags: ["y"])) == ["A"])
    #expect(try names([""], Selection(skippedTags: ["x"])) == ["D", "C [red]", "C [blue]"])
    #expect(try names([""], Selection(skippedTags: ["x", "none"])).count == 3)
    #expect(try names([""], Selection(tags: ["x"], skippedTags: ["x"])) == [])
    #expect(try names([""], Selection(filters: ["a.json", "B ["])) == ["A", "B [one]", "B [two]"])
    #expect(try names([""], Selection(filters: ["B"], narrowing: "two")) == ["B [two]"])
    #expect(try names([""], Selection(filters: ["BLUE"])) == ["C [blue]"])
    #expect(try names([""], Selection(filters: ["sub/"])) == ["B [one]", "B [two]"])
  }

  @Test("what failed before is chosen if any of it is there, else everything")
  func lastFailed() throws {
    let failed: Set = [
      ScenarioIdentity(path: folder.path + "/sub/b.json", caseName: "two"),
      ScenarioIdentity(path: folder.path + "/removed.json"),
    ]
    #expect(try names([""], Selection(lastFailed: failed)) == ["B [two]"])
    #expect(try names(["a.json"], Selection(lastFailed: failed)) == ["A"])
    #expect(try names(["sub"], Selection(lastFailed: [])) == ["B [one]", "B [two]"])
    #expect(try names([""], Selection(tags: ["x"], lastFailed: failed)) == ["B [two]"])
  }

  @Test("shards hold everything once")
  func shards() throws {
    let parts = try (1...4).map { try names([""], Selection(shard: Shard(index: $0, total: 4))) }
    #expect(parts.map(\.count) == [2, 2, 1, 1])
    #expect(Set(parts.joined()) == Set(try names([""])))
  }

  @Test("a repetition keeps the order")
  func repetition() throws {
    #expect(
      try names(["sub"], Selection(repetitions: 2)).map { $0.suffix(5) } == [
        "[one]", "[one]", "[two]", "[two]",
      ])
  }
}
