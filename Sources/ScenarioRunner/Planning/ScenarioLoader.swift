import Foundation
import ScenarioCore
import SourceText
import Synchronization

/// Decodes scenarios again when their turn comes: a plan of very many keeps only who they are.
package final class ScenarioLoader: Sendable {
  /// Neighbours in a plan are often cases of one file.
  private static let cacheLimit = 8

  private let files: LocalFiles
  private let decoder: ScenarioDecoder
  private let cache = Mutex<[(path: String, output: ScenarioDecoder.Output)]>([])

  init(files: LocalFiles, decoder: ScenarioDecoder) {
    self.files = files
    self.decoder = decoder
  }

  /// - Parameter number: the place among the scenarios of its file, from 0.
  /// - Returns: the scenario; a fault where its file is not what it was when the run was planned.
  func content(_ reference: ScenarioReference, number: Int) -> PlannedScenario.Content {
    let output: ScenarioDecoder.Output
    do {
      output = try decoded(reference.path)
    } catch {
      let reason = (error as? SystemError)?.reason ?? "\(error)"
      let message = "The file can't be read any more: \(reason)."
      return .invalid([Diagnostic(message, path: reference.path)])
    }
    if output.hasErrors { return .invalid(output.diagnostics) }
    guard output.scenarios.indices.contains(number),
      output.scenarios[number].reference == reference
    else {
      let message = "The file has changed since the run began: \"\(reference.name)\" is not there."
      return .invalid([Diagnostic(message, path: reference.path)])
    }
    return .scenario(output.scenarios[number])
  }

  private func decoded(_ path: String) throws -> ScenarioDecoder.Output {
    try cache.withLock { cache in
      if let known = cache.first(where: { $0.path == path }) { return known.output }
      let output = decoder.decode(try files.source(path))
      if cache.count == Self.cacheLimit { cache.removeFirst() }
      cache.append((path, output))
      return output
    }
  }
}
