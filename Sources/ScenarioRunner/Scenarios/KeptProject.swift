import Foundation
import ScenarioCore

/// The files that a scenario is made of, copied so that it runs again without the project they are from.
///
/// They keep their places relative to the project's folder; what lies outside of it goes to `outside`.
struct KeptProject {
  static let folderName = "project"
  static let lineName = "run-again.sh"

  let reference: ScenarioReference
  let settings: RunSettings
  let redaction: Redaction

  private var paths: ProjectPaths {
    ProjectPaths(
      folder: settings.workingDirectory, workingDirectory: FileManager.default.currentDirectoryPath)
  }

  /// - Parameter folder: that of the scenario.
  func keep(in folder: String) throws(SystemError) {
    let files = settings.files
    for path in usedFiles() {
      let target = "\(folder)/\(Self.folderName)/\(place(of: path))"
      try KeptFolder.makeFolder(FilePath.folder(of: target))
      // The file itself, where a project has links.
      guard let source = files.resolved(path) else { continue }
      try RedactedCopy(redact: redaction.bytes).copy(source, to: target)
    }
    let target = "\(folder)/\(Self.lineName)"
    try RedactedCopy.write(redaction.bytes(Array(line.utf8)), to: target)
    chmod(target, 0o755)
  }

  /// What is read when the scenario is decoded, and what is handed to the app.
  private func usedFiles() -> [String] {
    let files = settings.files.unchanged()
    let configuration = FilePath.join(settings.workingDirectory, Configuration.fileName)
    // With the files that the configuration names.
    let configured = (try? files.source(configuration)).flatMap {
      ConfigurationDecoder.decode(
        $0, files: files, fixtures: settings.fixturesDirectory
      ).configuration
    }
    let decoder = ScenarioDecoder(
      files: files, fixturesDirectory: settings.fixturesDirectory,
      configuration: configured ?? Configuration())
    guard let source = try? files.source(reference.path) else { return [] }
    let fixtures = decoder.decode(source).usedFixtures.map {
      FilePath.join(settings.fixturesDirectory, $0)
    }
    let all = Set(files.readPaths + fixtures + [configuration])
    return all.filter { files.kind(of: $0) == .file }.sorted()
  }

  /// Where a file goes in the copy.
  private func place(of path: String) -> String {
    let relative = paths.relative(path)
    let isOutside = relative.hasPrefix("/") || relative.hasPrefix("../")
    return isOutside ? "outside/" + relative.split(separator: "/").joined(separator: "/") : relative
  }

  // MARK: - The line

  private var line: String {
    let name = reference.name.split(whereSeparator: \.isNewline).joined(separator: " ")
    return """
      #!/bin/sh
      # \(name)
      #
      # Runs it again with the files in \(Self.folderName), which are as they were; secrets in them are
      # replaced by \(Credentials.mask). trace.json tells what happened, shared is the app's shared folder,
      # stdout.log and stderr.log are what it wrote. SCENARIO_RUN names the command where it isn't in PATH.
      cd "$(dirname "$0")/\(Self.folderName)" || exit 2
      exec "${SCENARIO_RUN:-scenario-run}" \(words.map(Self.quoted).joined(separator: " ")) "$@"

      """
  }

  private var words: [String] {
    let path = place(of: reference.caseFile ?? reference.path)
    var words = ["\(path):\(reference.position.line)"]
    words += ["--fixtures", place(of: settings.fixturesDirectory)]
    if let app { words += ["--app", app] }
    if let seed = settings.seed { words += ["--seed", "\(seed)"] }
    if settings.isStrict { words.append("--strict") }
    if let schedule = settings.schedule { words += ["--schedule", "\(schedule)"] }
    return words + settings.passedEnvironment.flatMap { ["--pass-env", $0] }
  }

  /// The program where it has to be named: a bare name is looked up, and arguments are in the
  /// configuration.
  private var app: String? {
    guard let app = settings.app, app.count == 1, let program = app.first else { return nil }
    return program.contains("/") ? (try? settings.locator.locate(program)) ?? program : program
  }

  /// As a shell reads it.
  private static func quoted(_ word: String) -> String {
    "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
