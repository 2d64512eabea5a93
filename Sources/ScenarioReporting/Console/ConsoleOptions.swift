/// How the console shows a run.
package struct ConsoleOptions: Sendable {
  package enum Detail: Sendable {
    /// Only what did not pass, and the summary.
    case quiet
    /// A line for each result.
    case normal
    /// Each action too.
    case verbose
  }

  package var detail: Detail
  package var style: TextStyle
  /// What all output goes through.
  package var outlet: Outlet
  /// Whether a live line can be redrawn.
  package var isLive: Bool
  /// Characters a line.
  package var width: @Sendable () -> Int
  /// What runs a scenario again: the words before its `file:line`.
  package var rerunCommand: String

  /// What takes the live line away.
  package var erasure: String { isLive ? "\r\u{1B}[K" : "" }

  package init(
    detail: Detail = .normal, style: TextStyle = TextStyle(isColored: false),
    outlet: Outlet = Outlet(), isLive: Bool = false,
    width: @escaping @Sendable () -> Int = { 80 }, rerunCommand: String = "scenario-run"
  ) {
    self.detail = detail
    self.style = style
    self.outlet = outlet
    self.isLive = isLive
    self.width = width
    self.rerunCommand = rerunCommand
  }
}
