import Foundation
import ScenarioReporting

extension CommandContext {
  /// Says on stderr what is wrong, in one line.
  ///
  /// - Parameter erasure: what makes room for it on a terminal.
  func complain(_ message: String, erasing erasure: String = "") {
    // Nobody is left to tell where stderr is closed.
    try? standardError.write("\(erasure)scenario-run: \(outlet.line(message))\n")
  }

  /// Writes to stdout what was asked for.
  ///
  /// - Returns: `code`, or `notPassed` where it would be `passed` and the output is lost. That nobody
  ///   reads on, as after `| head`, is no loss.
  func answer(_ text: String, _ code: ExitCode = .passed) -> ExitCode {
    do {
      try standardOutput.write(text)
    } catch {
      if (error as? OutputFailure)?.code == EPIPE { return code }
      complain("the output: \(error)")
      return code == .passed ? .notPassed : code
    }
    return code
  }

  /// Keeps the values of these variables out of everything that is written from now on.
  ///
  /// Nothing is told to the CI server, as GitHub's `::add-mask::` would: that writes the value into
  /// the output once more, and masks what is shown there alone, not the reports.
  ///
  /// - Throws: where a value is too short.
  mutating func hideSecrets(named names: [String]) throws(CommandFailure) {
    outlet = Outlet(secrets: names.compactMap { environment[$0] })
    for name in names {
      let value = environment[name]
      let length = value?.trimmingCharacters(in: .whitespacesAndNewlines).count ?? 0
      if length > 0, length < Outlet.shortestSecret {
        throw CommandFailure(
          "--secret \(name): the value of the variable has \(length) of the "
            + "\(Outlet.shortestSecret) characters that a secret needs: a shorter one stands in too "
            + "many texts by chance. Set a longer value, or leave out --secret \(name).")
      }
      if length == 0 {
        let reason = value == nil ? "there is no such variable" : "the value is empty"
        complain("--secret \(name): \(reason), so nothing is masked for it.")
      }
    }
  }
}
