import Foundation
import HarnessProtocol
import JSON
import RequestMatching

extension ActionPerformer {
  func exists(_ path: ElementPath) -> Bool {
    !ElementQuery(path: path, screen: app.screen).matches().isEmpty
  }

  /// Moves the clock instead of waiting, from one due instant to the next.
  ///
  /// - Parameter path: of what is waited for, if it is one that comes.
  func wait(
    _ timeout: Duration, _ complaint: String, for path: ElementPath? = nil,
    until holds: () -> Bool
  ) async throws {
    let end = clock.instant(after: timeout)
    while !holds() {
      guard clock.wakeNext(upTo: end) else {
        if holds() { return }
        let absence = path.map { ElementQuery(path: $0, screen: app.screen).absence }
        throw RPCError(
          .timedOut,
          "\(complaint) within \(timeout / .seconds(1)) s of the app's clock.\(absence?.hint ?? "")",
          data: ["onScreen": ScreenDescription.of(app.screen)])
      }
      try await settle()
    }
  }

  func assertExists(_ path: ElementPath) throws {
    let query = ElementQuery(path: path, screen: app.screen)
    guard query.matches().isEmpty else { return }
    let absence = query.notFound
    throw RPCError(.assertionFailed, absence.message, data: absence.data)
  }

  func assertNotExists(_ path: ElementPath) throws {
    guard exists(path) else { return }
    throw RPCError(
      .assertionFailed, "\"\(path)\" exists.",
      data: ["onScreen": ScreenDescription.of(app.screen)])
  }

  func assertText(_ path: ElementPath, _ condition: TextCondition) throws {
    let element = try ElementQuery(path: path, screen: app.screen).match().element
    let texts = [element.label, element.value].compactMap { $0 }.filter { !$0.isEmpty }
    guard texts.isEmpty ? try condition.holds(for: "") : try texts.contains(where: condition.holds)
    else {
      let got = texts.isEmpty ? "no text" : texts.map { "\"\($0)\"" }.joined(separator: " and ")
      throw RPCError(
        .assertionFailed, "The text of \"\(path)\" is \(got), not \(condition.description).",
        data: [
          "label": .string(element.label), "value": element.value.map(JSONValue.string) ?? .null,
        ])
    }
  }
}

extension TextCondition {
  /// Equality is of bytes; `matches` is a regular expression for the whole text.
  func holds(for text: String) throws -> Bool {
    switch self {
    case .equals(let wanted): text.hasSameBytes(as: wanted)
    case .contains(let part): part.isEmpty || text.range(of: part, options: .literal) != nil
    case .matches(let pattern): try matchesWhole(text, pattern)
    }
  }

  var description: String {
    switch self {
    case .equals(let text): "\"\(text)\""
    case .contains(let text): "one that contains \"\(text)\""
    case .matches(let pattern): "one that matches \"\(pattern)\""
    }
  }

  /// By the same rules as the patterns of requests.
  private func matchesWhole(_ text: String, _ pattern: String) throws -> Bool {
    do {
      return try TextPattern(pattern).matches(text.utf8)
    } catch let doubt as MatchingDoubt {
      throw RPCError(.invalidParams, "\(doubt)")
    } catch {
      throw RPCError(.invalidParams, "\"\(pattern)\" isn't a valid regular expression.")
    }
  }
}
