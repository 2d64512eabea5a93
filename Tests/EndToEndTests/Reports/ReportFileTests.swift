import Foundation
import TestSupport
import Testing

@Suite("The files of reports", .waitsForPrograms)
struct ReportFileTests {
  private static let passing =
    #"{"app": ["faulty-app", "none"], "actions": [], "expected": [{"url": "/none", "count": 0}]}"#

  /// The reports: the option, and what the message names.
  private static let kinds = [
    ("--junit", "the JUnit report"), ("--ctrf", "the CTRF report"),
    ("--html", "the HTML report"), ("--events", "the event stream"),
  ]

  @Test(
    "that can't be written fail the run and are named, and the others are written",
    arguments: kinds.map(\.0), ["/dev/full", "taken/report", "/proc/none/report"])
  func unwritable(kind: String, path: String) throws {
    let folder = try FileFolder([
      "a.json": Self.passing, "taken": "A file, where a folder must be.",
    ])
    defer { folder.remove() }
    let options = Self.kinds.flatMap { [$0.0, $0.0 == kind ? path : "report" + $0.0] }
    let run = try folder.run(["a.json"] + options)
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

  @Test("never take the place of a scenario or a configuration", arguments: kinds.map(\.0))
  func input(kind: String) throws {
    let folder = try FileFolder([
      "S/a.json": Self.passing, "S/b.json": Self.passing, ".scenario-run.json": "{}",
    ])
    defer { folder.remove() }
    // As the shell writes S/*.json out.
    for files in [["S/a.json", "S/b.json"], [".scenario-run.json", "S"]] {
      let run = try folder.run([kind] + files)
      #expect(run.exitCode == 2 && run.output.isEmpty)
      #expect(
        run.errors == """
          scenario-run: \(kind) "\(files[0])" is a file that scenario-run reads, which would be lost. Name \
          another one.

          """)
    }
    #expect(try folder.text("S/a.json") == Self.passing)
    #expect(try folder.text(".scenario-run.json") == "{}")
    // A report of an earlier run is none.
    for _ in 1...2 { #expect(try folder.run(["S", kind, "r.json"]).exitCode == 0) }
  }

  @Test("one that does not fit leaves no earlier one, and no half of itself")
  func fullDisk() throws {
    let folder = try FileFolder(["a.json": Self.passing, "out/page.html": "earlier"])
    defer { folder.remove() }
    // One block: less than the page takes.
    let run = try folder.shell("ulimit -f 1; $RUN a.json --html out/page.html; ls -A out")
    #expect(run.output.hasSuffix("\n") && !run.output.contains("page.html"), "\(run.output)")
    #expect(run.errors.hasPrefix("scenario-run: the HTML report: "))
  }

  @Test("one that can't be opened names the system's reason")
  func unopened() throws {
    let folder = try FileFolder(["a.json": Self.passing])
    defer { folder.remove() }
    let name = String(repeating: "n", count: 300)
    let run = try folder.run(["a.json", "--events", name])
    #expect(run.errors.contains("\(name) can't be written: File name too long"), "\(run.errors)")
  }

  @Test("a link that waits under the name of a temporary file is not followed")
  func plantedLink() throws {
    let folder = try FileFolder(["a.json": Self.passing, "victim": "untouched"])
    defer { folder.remove() }
    let run = try folder.shell(
      "sh -c 'ln -s victim a.xml.$$.tmp; exec $RUN a.json --junit a.xml'; ls -A | grep -c scenario-run.*tmp"
    )
    #expect(run.output.hasSuffix("\n0\n"), "\(run.output)")
    #expect(try folder.text("victim") == "untouched")
    #expect(try folder.text("a.xml").hasPrefix("<?xml"))
  }

  @Test("a pipe is written to and not replaced")
  func pipe() throws {
    let folder = try FileFolder(["a.json": Self.passing])
    defer { folder.remove() }
    let run = try folder.shell(
      "mkfifo p; cat p > copy & $RUN a.json --junit p && test -p p && wait")
    #expect(run.exitCode == 0)
    #expect(try folder.text("copy").hasPrefix("<?xml"))
  }

  @Test(
    "of which two are the same are refused before anything runs",
    arguments: [
      "--junit r --ctrf r", "--junit r --html ./r", "--junit new/r --html none/../new/r",
      "--events r --junit link", "--junit link --html link", "--events there --ctrf hard",
      "--junit - --events -", "--ctrf - --html /dev/stdout", "--junit - --ctrf there >> there",
    ])
  func same(arguments: String) throws {
    let folder = try FileFolder(["a.json": Self.passing, "there": "earlier"])
    defer { folder.remove() }
    let run = try folder.shell("ln -s r link; ln there hard; $RUN a.json \(arguments)")
    #expect(run.exitCode == 2)
    #expect(run.errors.contains(" are the same file, so one report would be lost."))
    #expect(try !folder.has("r") && folder.text("there") == "earlier")
  }

  @Test("may all go to a device")
  func device() throws {
    let folder = try FileFolder(["a.json": Self.passing])
    defer { folder.remove() }
    let run = try folder.run(["a.json", "--junit", "/dev/null", "--ctrf", "/dev/null"])
    #expect(run.exitCode == 0)
  }

  @Test("are written where links lead, also where nothing is there yet")
  func links() throws {
    let folder = try FileFolder(["a.json": Self.passing, "out/earlier": ""])
    defer { folder.remove() }
    let run = try folder.shell(
      """
      ln -s out/new.xml link.xml; ln -s link.xml second.xml; ln -s out/earlier link.json
      $RUN a.json --junit second.xml --ctrf link.json
      test -L second.xml && test -L link.xml && test -L link.json
      """)
    #expect(run.exitCode == 0)
    #expect(try folder.text("out/new.xml").hasPrefix("<?xml"))
    #expect(try folder.text("out/earlier").hasPrefix("{"))
  }

  @Test("what is for people makes room for a report on stdout")
  func standardOutput() throws {
    let folder = try FileFolder(["a.json": Self.passing])
    defer { folder.remove() }
    let run = try folder.run(["a.json", "--ctrf", "-"])
    #expect(run.output.hasPrefix(#"{"reportFormat":"CTRF""#))
    #expect(run.errors.contains("1 passed"))
  }
}
