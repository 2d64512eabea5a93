/// Scenarios of `faulty-app` as text.
enum SampleScenario {
  static let passing =
    #"{"app": ["faulty-app", "none"], "actions": [], "expected": [{"url": "/none", "count": 0}]}"#

  /// A request comes that nobody expects.
  static let failing =
    #"{"app": ["faulty-app", "sendRequest"], "actions": [{"tap": "b"}], "expected": []}"#

  static let invalid = #"{"actions": [{"tpa": "b"}], "expected": []}"#

  /// Passes once a file is there, which the first attempt makes.
  static func flaky(_ file: String) -> String {
    let app = BuiltProgram.path(of: "faulty-app")
    let script =
      "if test -e '\(file)'; then exec '\(app)' none; fi; "
      + "touch '\(file)'; exec '\(app)' sendRequest"
    return #"{"app": ["sh", "-c", "\#(script)"], "actions": [{"tap": "b"}], "expected": []}"#
  }

  /// Passes or fails by case: `true` sends what nobody expects.
  static func cases(_ failing: [(name: String, isFailing: Bool)]) -> String {
    let rows = failing.map {
      #"{"name": "\#($0.name)", "fault": "\#($0.isFailing ? "sendRequest" : "none")"}"#
    }
    return """
      {"app": ["faulty-app", "${fault}"],
       "cases": [
         \(rows.joined(separator: ",\n    "))
       ],
       "actions": [{"tap": "b"}], "expected": []}
      """
  }
}
