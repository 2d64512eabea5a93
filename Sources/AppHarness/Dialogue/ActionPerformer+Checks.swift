import Foundation
import HarnessWire
import JSON
import RequestMatching

extension ActionPerformer {
  func check(_ verb: ActionVerb, _ params: ActionParameters) async throws {
    let path = try params.element()
    switch verb {
    case .waitForExistence:
      try await wait(params.timeout(), "\"\(path)\" did not appear") { exists(path) }
    case .waitForNonExistence:
      try await wait(params.timeout(), "\"\(path)\" did not disappear") { !exists(path) }
    case .assertExists: _ = try assertExists(path)
    case .assertNotExists: try assertNotExists(path)
    default: try assertText(path, params)
    }
  }

  private func exists(_ path: ElementPath) -> Bool {
    !ElementQuery(path: path, screen: app.screen).matches().isEmpty
  }

  /// Moves the clock instead of waiting, from one due instant to the next.
  private func wait(
    _ timeout: Duration, _ complaint: String, until holds: () -> Bool
  ) async throws {
    let end = clock.instant(after: timeout)
    while !holds() {
      guard clock.wakeNext(upTo: end) else {
        if holds() { return }
        throw RPCError(
          .timedOut, "\(complaint) within \(timeout / .seconds(1)) s of the app's clock.",
          data: ["onScreen": ScreenDescription.of(app.screen)])
      }
      try await settle()
    }
  }

  private func assertExists(_ path: ElementPath) throws -> ElementQuery.Match? {
    let query = ElementQuery(path: path, screen: app.screen)
    if let first = query.matches().first { return first }
    do {
      return try query.match()
    } catch {
      throw RPCError(.assertionFailed, error.message, data: error.data)
    }
  }

  private func assertNotExists(_ path: ElementPath) throws {
    guard exists(path) else { return }
    throw RPCError(
      .assertionFailed, "\"\(path)\" exists.",
      data: ["onScreen": ScreenDescription.of(app.screen)])
  }

  private func assertText(_ path: ElementPath, _ params: ActionParameters) throws {
    let element = try ElementQuery(path: path, screen: app.screen).match().element
    let texts = [element.label, element.value].compactMap { $0 }.filter { !$0.isEmpty }
    let condition = try params.textCondition()
    guard texts.isEmpty ? try condition.holds(for: "") : try texts.contains(where: condition.holds)
    else {
      let got = texts.isEmpty ? "no text" : texts.map { "\"\($0)\"" }.joined(separator: " and ")
      throw RPCError(
        .assertionFailed, "The text of \"\(path)\" is \(got), not \(condition).",
        data: [
          "label": .string(element.label), "value": element.value.map(JSONValue.string) ?? .null,
        ])
    }
  }
}

/// What an element's text must be like.
enum TextCondition: CustomStringConvertible {
  case equals(String)
  case contains(String)
  case matches(String)

  /// Equality is of bytes; `matches` is a regular expression for the whole text.
  func holds(for text: String) throws -> Bool {
    switch self {
    case .equals(let wanted): text.utf8.elementsEqual(wanted.utf8)
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
    } catch let error as ExpensivePattern {
      throw RPCError(
        .invalidParams,
        "The expression \"\(error.pattern)\" takes too many steps on a text of "
          + "\(error.textLength) characters. Write it without a repetition in a repetition, as in "
          + "(a+)+.")
    } catch {
      throw RPCError(.invalidParams, "\"\(pattern)\" isn't a valid regular expression.")
    }
  }
}
