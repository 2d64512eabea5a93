import Foundation
import ScenarioCore
import ScenarioRunner
import SourceText

/// The scenario file of a session, as it was when it was read; where there is none yet, what it will
/// begin with.
struct PlayedFile {
  /// As the command line names it.
  let path: String
  private let line: Int?
  private let decoder: ScenarioDecoder
  /// What the file has, or will begin with.
  private(set) var source: SourceFile
  /// Whether the file is there.
  private(set) var exists: Bool
  private(set) var scenario: Scenario

  /// Why a file can't be played.
  enum Fault: Error {
    case unreadable(String)
    case invalid([Diagnostic])
    /// The file has several scenarios, or none in the line that was named.
    case notOne([ScenarioReference])
  }

  /// - Parameter line: that of the case that is meant.
  init(_ place: ScenarioPath, in project: CommandProject) throws(Fault) {
    path = place.path
    line = place.line
    var decoder = project.decoder
    decoder.allowsNothing = true
    self.decoder = decoder
    exists = project.files.kind(of: place.path) != nil
    if exists {
      source = try Self.source(place.path, project.files)
    } else {
      source = SourceFile(path: place.path, text: PlaySetting.text([]))
    }
    scenario = try Self.scenario(in: source, line, decoder)
  }

  /// Changes what a file that isn't there yet will begin with.
  mutating func begin(with settings: [PlaySetting]) throws(Fault) {
    let new = SourceFile(path: path, text: PlaySetting.text(settings))
    scenario = try Self.scenario(in: new, line, decoder)
    source = new
  }

  /// Takes over what was written to the file.
  mutating func adopt(_ text: SourceFile) throws(Fault) {
    scenario = try Self.scenario(in: text, line, decoder)
    source = text
    exists = true
  }

  private static func source(_ path: String, _ files: LocalFiles) throws(Fault) -> SourceFile {
    do {
      return try files.source(path)
    } catch {
      throw .unreadable(SystemError.reason(of: error))
    }
  }

  private static func scenario(
    in source: SourceFile, _ line: Int?, _ decoder: ScenarioDecoder
  ) throws(Fault) -> Scenario {
    let output = decoder.decode(source)
    guard !output.hasErrors else { throw .invalid(output.diagnostics) }
    let places = output.scenarios.places
    let meant = places.indices.filter { index in line.map(places[index].isMeant) ?? true }
    guard meant.count == 1 else { throw .notOne(places.map(\.reference)) }
    return output.scenarios[meant[0]]
  }
}
