import ScenarioCore

/// A JUnit report that is read again.
package struct JUnitFile: Sendable {
  /// As a message names it.
  package var path: String
  package var suites: [MarkupElement]
  /// Of the whole run, as the root says.
  package var milliseconds: Int

  /// - Throws: what is wrong with the file, in one sentence.
  package init(path: String, bytes: [UInt8]) throws(JUnitFault) {
    self.path = path
    let root: MarkupElement
    do {
      root = try MarkupParser.parse(bytes)
    } catch {
      throw JUnitFault("\(path) is no JUnit report: \(error)")
    }
    milliseconds = Self.milliseconds(root["time"])
    switch root.name {
    case "testsuites": suites = root.elements(named: "testsuite")
    case "testsuite": suites = [root]
    default: throw JUnitFault("\(path) is no JUnit report: its root is <\(root.name)>.")
    }
  }

  package var cases: [MarkupElement] { suites.flatMap { $0.elements(named: "testcase") } }

  /// 0 where an attribute is no time.
  static func milliseconds(_ text: String?) -> Int {
    guard let seconds = text.flatMap({ Double($0) }), (0...1_000_000_000).contains(seconds) else {
      return 0
    }
    return Int((seconds * 1000).rounded())
  }
}

/// Why a report can't be used.
package struct JUnitFault: Error, CustomStringConvertible {
  package var description: String

  init(_ description: String) {
    self.description = description
  }
}
