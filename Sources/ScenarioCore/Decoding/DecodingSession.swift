import RequestMatching
import SourceText

/// What the decoding of one scenario file gathers.
final class DecodingSession {
  /// What it was asked for.
  let decoder: ScenarioDecoder
  let fixtures: FixturesFolder?
  let diagnostics = DiagnosticCollector()
  /// How many actions of the scenario were read, repetitions of steps files included.
  private var actionCount = 0
  /// How long the text of the scenario's variables and steps files is, each as often as it is used.
  private var expandedBytes = 0
  /// Cleared where something could not be read in which variables may have been used.
  var sawEverything = true
  /// The parameters that are ignored in the URLs of what is decoded now.
  var volatile: VolatileParameters
  /// `nil` where nobody knows them: of an action that a person types.
  var decoders: [EventDecoder]?
  /// The values of `fixtures` by launch key.
  var fixtureFiles: [String: JSONNode] = [:]
  private(set) var usedFixtures: Set<String> = []
  private var usedVariables: Set<UsageKey> = []
  private var definedVariables: [UsageKey: (name: String, location: SourceLocation)] = [:]
  private(set) var stepsFiles: [String: JSONNode?]

  private var checkedStubs: Set<String> = []

  /// - Parameter stepsFiles: those that are known already.
  init(_ decoder: ScenarioDecoder, stepsFiles: [String: JSONNode?] = [:]) {
    self.decoder = decoder
    self.stepsFiles = stepsFiles
    fixtures = decoder.fixturesDirectory.map {
      FixturesFolder(path: $0, shownPath: decoder.shownFixturesDirectory, files: decoder.files)
    }
    volatile = VolatileParameters(decoder.configuration.volatileParameters)
  }

  var files: any FileAccess { decoder.files }
  /// What the configuration says for all scenarios.
  var configuration: Configuration { decoder.configuration }

  var expectations: ExpectationDecoder {
    ExpectationDecoder(diagnostics: diagnostics, volatile: volatile, decoders: decoders)
  }

  /// What is wrong with a name under the fixtures folder; unknown where no folder is given.
  func problem(withFixture name: String) -> FixturesFolder.Problem? {
    usedFixtures.insert(FilePath.normalized(name))
    return fixtures?.problem(with: name)
  }

  /// Reports what is wrong in a stub file, once for the scenario file.
  func checkedStubs(_ file: FileReference) -> FileReference {
    guard let fixtures, fixtures.problem(with: file.path) == nil else { return file }
    let outcome = decoder.stubChecks.check(file.path, in: fixtures)
    if checkedStubs.insert(file.path).inserted {
      diagnostics.report(outcome.diagnostics)
      usedFixtures.formUnion(outcome.bodyFiles.map(FilePath.normalized))
    }
    var file = file
    file.credentials = outcome.credentials.values
    file.isCapture = outcome.isCapture
    return file
  }

  /// The stub files of the configuration.
  private(set) lazy var projectStubs = configuration.stubs.map { file in
    // Where it isn't there, the configuration has been refused.
    _ = problem(withFixture: file.path)
    return checkedStubs(file)
  }

  func markUsed(_ key: UsageKey) { usedVariables.insert(key) }

  func markDefined(_ definition: VariableScope.Definition) {
    if definedVariables[definition.usageKey] == nil {
      definedVariables[definition.usageKey] = (definition.name, definition.nameLocation)
    }
  }

  /// Begins with a scenario of the file: limits hold for each by itself.
  func beginScenario() { (actionCount, expandedBytes) = (0, 0) }

  /// Counts the text that a variable or a steps file stands for.
  ///
  /// - Returns: whether to go on: variables that name each other can double without end.
  func countExpansion(_ bytes: Int, at location: SourceLocation) -> Bool {
    let isWithin = expandedBytes <= FileLimits.expansionBytes
    expandedBytes += bytes
    if isWithin, expandedBytes > FileLimits.expansionBytes {
      diagnostics.error(
        "With its variables and steps files written out, the scenario is longer than"
          + " \(FileLimits.expansionBytes >> 20) MiB. Use them less, or split it.",
        at: location)
    }
    return expandedBytes <= FileLimits.expansionBytes
  }

  /// How long the scenario has become, actions counted as if each were written as often as it runs.
  var scenarioBytes: Int { expandedBytes + actionCount * Self.actionBytes }

  private static let actionBytes = 100

  /// Counts the actions once `repeat` and `use` are carried out.
  func countSteps(_ count: Int) { actionCount = max(actionCount, count) }

  /// Counts an action that is read.
  ///
  /// - Returns: whether to go on: steps that use each other can multiply without end.
  func countAction(at location: SourceLocation) -> Bool {
    actionCount += 1
    if actionCount == decoder.actionLimit + 1 {
      diagnostics.error(
        "The scenario uses more than \(decoder.actionLimit) actions of steps files."
          + " Use less, or split it.", at: location)
    }
    return actionCount <= decoder.actionLimit
  }

  /// Whether a variable has a name and a value that a string can take; else that is reported.
  func checkVariable(_ definition: VariableScope.Definition) -> Bool {
    guard Substitution.isName(definition.name) else {
      diagnostics.error(
        "\"\(definition.name)\" isn't a valid variable name."
          + " A name has letters, digits, \"_\", \"-\" and \".\".", at: definition.nameLocation)
      return false
    }
    if definition.value.isInvalid { return true }
    guard definition.text != nil else {
      diagnostics.error(
        "The variable \"\(definition.name)\": expected a string, a number, true or false,"
          + " found \(definition.value.foundDescription).", at: definition.value.location)
      return false
    }
    return true
  }

  /// Reports the variables that no string names.
  func reportUnusedVariables() {
    guard sawEverything else { return }
    for (key, definition) in definedVariables where !usedVariables.contains(key) {
      diagnostics.error(
        "The variable \"\(definition.name)\" is never used. Remove it, or write"
          + " ${\(definition.name)} where it is meant.", at: definition.location)
    }
  }

  /// The content of a steps file, read once; `nil` where it can't be read, which is reported.
  func stepsFile(_ path: String, from location: SourceLocation) -> JSONNode? {
    if let known = stepsFiles[path] { return known }
    let node = readStepsFile(path, from: location)
    stepsFiles[path] = .some(node)
    return node
  }

  private func readStepsFile(_ path: String, from location: SourceLocation) -> JSONNode? {
    guard let bytes = read(path, "steps file", from: location) else { return nil }
    let (node, problems) = JSONParser.parse(SourceFile(path: path, bytes: bytes))
    diagnostics.report(problems)
    sawEverything = sawEverything && problems.isEmpty
    return node
  }

  /// Reads a file that a string names; `nil` where it can't be read, which is reported there.
  func read(_ path: String, _ what: String, from location: SourceLocation) -> [UInt8]? {
    do {
      return try files.bytes(ofFile: path)
    } catch FileFault.missing {
      let names = files.names(
        inFolder: FilePath.folder(of: path).isEmpty ? "." : FilePath.folder(of: path))
      let written = location.file.text(in: location.range).split(separator: "/").dropLast()
      let prefix = written.map { $0.drop { $0 == "\"" } + "/" }.joined()
      let close = Suggestions.closest(to: FilePath.lastComponent(path), among: names)
      diagnostics.error(
        "The \(what) \"\(path)\" does not exist.", at: location,
        suggestions: close.map { prefix + $0 })
    } catch FileFault.folder {
      diagnostics.error("\"\(path)\" is a folder. Name a \(what).", at: location)
    } catch {
      diagnostics.error("The \(what) \"\(path)\" can't be read: \(error).", at: location)
    }
    return nil
  }
}

/// Puts diagnostics into the order in which people read them.
enum DiagnosticOrder {
  private struct Key: Hashable {
    var path: String
    var range: Range<Int>?
    var message: String
  }

  /// Without what is said twice, as it is for each case of a table; the main file's first.
  static func sorted(_ diagnostics: [Diagnostic], mainPath: String) -> [Diagnostic] {
    var seen: Set<Key> = []
    let unique = diagnostics.filter {
      seen.insert(Key(path: $0.path, range: $0.location?.range, message: $0.message)).inserted
    }
    return unique.enumerated().sorted { left, right in
      key(left.element, left.offset, mainPath) < key(right.element, right.offset, mainPath)
    }.map(\.element)
  }

  private static func key(
    _ diagnostic: Diagnostic, _ index: Int, _ mainPath: String
  ) -> (Int, String, Int, Int) {
    let offset = diagnostic.location?.range.lowerBound ?? -1
    return (diagnostic.path == mainPath ? 0 : 1, diagnostic.path, offset, index)
  }
}
