import Foundation
import Testing

@Suite("A report that can't be written")
struct UnwritableReportTests {
  private static let passing =
    #"{"app": ["faulty-app", "none"], "actions": [], "expected": []}"#

  /// The reports: the option, and what the message names.
  private static let kinds = [
    ("--junit", "the JUnit report"), ("--ctrf", "the CTRF report"),
    ("--html", "the HTML report"),
    ("--events", "the event stream"), ("summary", "GitHub's step summary"),
  ]

  @Test(
    "fails the run and is named, and the others are written",
    arguments: kinds.map(\.0), ["/dev/full", "taken/report", "/proc/none/report"])
  func unwritable(kind: String, path: String) throws {
    let folder = try FileFolder([
      "a.json": Self.passing, "taken": "A file, where a folder must be.",
    ])
    defer { folder.remove() }
    var arguments = ["a.json"]
    var environment = ["GITHUB_ACTIONS": "true"]
    for (other, _) in Self.kinds {
      let target = other == kind ? path : "report" + other
      if other == "summary" {
        environment["GITHUB_STEP_SUMMARY"] =
          target.hasPrefix("/") ? target : folder.path + "/" + target
      } else {
        arguments += [other, target]
      }
    }
    let run = try folder.run(arguments, environment: environment)
    #expect(run.exitCode == 1)
    #expect(run.output.contains("1 passed"))
    let name = try #require(Self.kinds.first { $0.0 == kind }?.1)
    let errors = run.errors.split(separator: "\n")
    #expect(errors.count == 1, "\(run.errors)")
    #expect(errors.first?.hasPrefix("scenario-run: \(name): ") == true)
    #expect(errors.first?.contains(path) == true)
    for (other, _) in Self.kinds where other != kind {
      #expect(try !folder.text("report" + other).isEmpty)
    }
  }

  @Test("no device is replaced by a file, and no half of a report stays")
  func device() throws {
    let folder = try FileFolder(["a.json": Self.passing])
    defer { folder.remove() }
    let run = try folder.shell(
      "ln -s /dev/null null; $RUN a.json --junit null --ctrf /dev/stdout && test -L null")
    #expect(run.exitCode == 0)
    #expect(run.output.hasPrefix(#"{"reportFormat":"CTRF""#))
    #expect(run.errors.contains("1 passed"))
  }
}
