import Testing

@testable import ScenarioCommand

@Suite("The command line is read by the table of options")
struct OptionParserTests {
  @Test("a value follows its option, or stands behind an equals sign")
  func values() throws {
    let options = try OptionParser.parse([
      "--app", "demo-app", "--jobs=3", "--timeout", "1.5", "--tag", "a", "--tag=b", "--skip-tag",
      "c",
      "--filter", "cart", "--pass-env", "LANG", "--fixtures=F", "--max-failures", "2", "--retries",
      "1", "--repeat", "4", "--shard", "2/5", "--junit", "j.xml", "--keep", "k",
      "--color", "never", "Scenarios", "a.json:3",
    ])
    #expect(options.subcommand == .run)
    #expect(options.words == ["Scenarios", "a.json:3"])
    #expect(options.app == ["demo-app"])
    #expect(options.jobs == 3)
    #expect(options.timeout == .seconds(1.5))
    #expect(options.tags == ["a", "b"])
    #expect(options.skippedTags == ["c"])
    #expect(options.filters == ["cart"])
    #expect(options.passedEnvironment == ["LANG"])
    #expect(options.fixtures == "F")
    #expect(options.maximumFailures == 2)
    #expect(options.retries == 1)
    #expect(options.repetitions == 4)
    #expect(options.shard?.index == 2 && options.shard?.total == 5)
    #expect(options.junit == "j.xml")
    #expect(options.keepFolder == "k")
    #expect(options.color == .never)
  }

  @Test("after -- everything is a PATH")
  func end() throws {
    let options = try OptionParser.parse(["-q", "--", "--tag", "validate"])
    #expect(options.words == ["--tag", "validate"])
    #expect(options.detail == .quiet)
  }

  @Test("the first word can be a subcommand, a later one can't")
  func subcommands() throws {
    #expect(try OptionParser.parse(["validate", "a"]).subcommand == .validate)
    #expect(try OptionParser.parse(["a", "validate"]).words == ["a", "validate"])
  }

  @Test(
    "what is wrong is said, with what to do",
    arguments: [
      (["--taag", "x"], "Unknown option --taag. Did you mean \"--tag\"?"),
      (["--frobnicate"], "Unknown option --frobnicate. See scenario-run --help."),
      (["--jobs"], "--jobs needs a value: --jobs N."),
      (["--jobs", "0"], #"--jobs can't be "0". Expected a whole number, 1 to 10000."#),
      (["--jobs=two"], #"--jobs can't be "two". Expected a whole number, 1 to 10000."#),
      (
        ["--timeout", "-1"],
        #"--timeout can't be "-1". Expected a number of seconds above 0, 86400 at most."#
      ),
      (
        ["--shard", "6/5"],
        #"--shard can't be "6/5". Expected I/N, as 2/5: the second of five parts."#
      ),
      (
        ["--shard", "1/9999999999"],
        #"--shard can't be "1/9999999999". Expected I/N, at most 10000 parts."#
      ),
      (["--color", "red"], #"--color can't be "red". Expected auto, always or never."#),
      (["--quiet=yes"], "--quiet takes no value."),
      (["--json"], "--json belongs to a subcommand: audit, compare, list, review."),
      (["validate", "--jobs", "2"], #""validate" does not take --jobs."#),
    ])
  func mistakes(arguments: [String], message: String) {
    let failure = #expect(throws: CommandFailure.self) { try OptionParser.parse(arguments) }
    #expect(failure?.message == message)
  }

  @Test("no option is written twice, and each says what it does")
  func table() {
    let names = OptionTable.all.flatMap { [$0.name] + [$0.shortName].compactMap { $0 } }
    #expect(Set(names).count == names.count)
    #expect(OptionTable.all.allSatisfy { !$0.help.isEmpty && !$0.subcommands.isEmpty })
  }

  @Test(
    "the help fits in 80 columns and names every option",
    arguments: CommandOptions.Subcommand.allCases)
  func help(subcommand: CommandOptions.Subcommand) {
    let text = HelpText.text(for: subcommand)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
    for option in OptionTable.all where option.subcommands.contains(subcommand) {
      #expect(text.contains(option.usage))
    }
  }
}
