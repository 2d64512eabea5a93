/// When output is coloured.
enum ColorChoice: String, CaseIterable {
  case auto, always, never

  /// An option beats the environment; of that `NO_COLOR` beats `CLICOLOR_FORCE`, which beats the
  /// terminal (no-color.org, bixense.com/clicolors).
  func isColored(isTerminal: Bool, environment: [String: String]) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if let value = environment["NO_COLOR"], !value.isEmpty { return false }
    if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
    return isTerminal && environment["TERM"] != "dumb"
  }
}
