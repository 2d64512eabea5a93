import Foundation
import TestSupport
import Testing

@Suite("What --keep keeps", .waitsForPrograms)
struct KeepTests {
  private static let tap = """
    {"actions": [{"tap": "buy ${what}", "sends": [{"url": "${url}", "count": 1}]}]}
    """

  /// A project with all that a scenario can be made of; its second case fails.
  private static let files = [
    ".scenario-run.json": #"{"app": "./bin/app.sh", "fixturesDirectory": "Data"}"#,
    "Scenarios/shop.json": """
    {
      "name": "It's bought",
      "fixtures": {"ANSWER": "answers/one.json"},
      "cases": "cases.csv",
      "actions": [{"use": "Steps/tap.json", "with": {"what": "${item}", "url": "${sent}"}}]
    }
    """,
    "Scenarios/cases.csv": """
    name,item,sent
    right,tea,https://shop.example.com/tea
    wrong,tea,https://shop.example.com/coffee
    """,
    "Scenarios/Steps/tap.json": tap,
    "Data/answers/one.json": "{}",
    // It sends the same whatever is bought, and only where its fixture is there.
    "bin/app.sh": #"""
    #!/bin/sh
    while IFS= read -r line; do
      id=${line#*\"id\":}; id=${id%%[!0-9]*}
      case $line in
        *\"initialize\"*) result='"protocolVersion":1,"app":{"name":"a"},"actions":["tap"]' ;;
        *\"tap\"*)
          test -f "$SCENARIO_FIXTURES_DIRECTORY/$ANSWER" || exit 3
          echo '{"url":"https://shop.example.com/tea","action":'$id'}' \
            >> "$SIMULATOR_SHARED_RESOURCES_DIRECTORY/storedRequests.jsonl"
          result= ;;
        *) result= ;;
      esac
      echo '{"jsonrpc":"2.0","id":'$id',"result":{'$result'}}'
    done
    """#,
  ]

  private func keep(_ options: String) throws -> ShellFolder {
    let folder = try ShellFolder(Self.files)
    let outcome = try folder.bash("$RUN Scenarios --jobs 1 --keep kept \(options)")
    #expect(outcome.exitCode == 1, "\(outcome.output)\(outcome.errors)")
    return folder
  }

  @Test("is a folder that runs the scenario again wherever it is, with the same verdict")
  func runsAgain() throws {
    let folder = try keep("--keep-all")
    defer { folder.remove() }
    // All that it has to do without.
    let move = "mv kept elsewhere && rm -r Scenarios Data .scenario-run.json && cd / && "
    let line = "SCENARIO_RUN=$RUN \(folder.path)/elsewhere/"
    let failed = try folder.bash(move + line + "2/run-again.sh")
    #expect(failed.exitCode == 1, "\(failed.output)\(failed.errors)")
    #expect(failed.output.contains("FAILED   It's bought [wrong]"))
    #expect(failed.output.contains("https://shop.example.com/coffee"))
    #expect(failed.output.contains("1 failed in TIME"))
    let passed = try folder.bash("cd / && " + line + "1/run-again.sh")
    #expect(passed.exitCode == 0, "\(passed.output)\(passed.errors)")
    #expect(passed.output.contains("1 passed in TIME"))
  }

  @Test("has the scenario's files, the trace, the output and the shared folder, of failures alone")
  func files() throws {
    let folder = try keep("")
    defer { folder.remove() }
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/kept").sorted()
    #expect(
      names.filter { $0.contains(".") } == [
        "2/project/.scenario-run.json", "2/project/Data/answers/one.json",
        "2/project/Scenarios/Steps/tap.json", "2/project/Scenarios/cases.csv",
        "2/project/Scenarios/shop.json", "2/run-again.sh", "2/shared/storedRequests.jsonl",
        "2/stderr.log", "2/stdout.log", "2/trace.json",
      ])
    let trace = try String(contentsOfFile: folder.path + "/kept/2/trace.json", encoding: .utf8)
    #expect(trace.hasPrefix(#"{"version":1,"scenario":{"name":"It's bought [wrong]""#))
    #expect(trace.contains(#""url":"https://shop.example.com/tea""#))
  }

  @Test("--keep-all alone has nowhere to keep anything")
  func nowhere() throws {
    let folder = try ShellFolder()
    defer { folder.remove() }
    let outcome = try folder.bash("$RUN . --keep-all")
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.contains("--keep-all needs a folder. Name it with --keep DIR."))
  }
}
