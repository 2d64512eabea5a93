import Foundation
import ScenarioCore

/// Words what went past the sessions that the kit intercepts.
struct EscapeErrors {
  private let ignoredHosts: [String]

  init(_ network: NetworkAccess) {
    ignoredHosts =
      switch network {
      case .open: []
      case .sealed(let ignored): ignored.map { $0.lowercased() }
      }
  }

  /// - Returns: `nil` where everything is to be ignored.
  func error(_ attempts: [NetworkAttempt]) -> RunError? {
    let attempts = attempts.filter { !isIgnored($0) }
    guard let first = attempts.first else { return nil }
    let step: StepReference? = if case .step(let step) = first.cause { step } else { nil }
    return RunError(.networkAttempt, message(first, attempts), step: step, attempts: attempts)
  }

  private func message(_ first: NetworkAttempt, _ all: [NetworkAttempt]) -> String {
    let verb = first.transport == "DNS" ? "look up" : "reach"
    let others = all.count - 1
    let further =
      switch others {
      case 0: ""
      case 1: " So was another attempt, which is listed below."
      default: " So were \(others) other attempts, which are listed below."
      }
    let host = first.host ?? "host"
    return
      "\(first.program) tried to \(verb) \(first.target) past the URLSessions that are intercepted, "
      + "and was refused.\(further) Send it through a URLSession of the kit; or say in "
      + ".scenario-run.json what is to become of it: \"network\": {\"ignored\": [\"\(host)\"]} refuses it "
      + "without failing scenarios, \"network\": \"open\" lets everything pass."
  }

  private func isIgnored(_ attempt: NetworkAttempt) -> Bool {
    guard let host = attempt.host?.lowercased() else { return false }
    return ignoredHosts.contains { fnmatch($0, host, 0) == 0 }
  }
}
