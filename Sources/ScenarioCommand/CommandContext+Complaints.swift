import Foundation
import ScenarioReporting

extension CommandContext {
  /// Says on stderr what is wrong, in one line.
  ///
  /// - Parameter erasure: what makes room for it on a terminal.
  func complain(_ message: String, erasing erasure: String = "") {
    // Nobody is left to tell where stderr is closed.
    try? standardError.write("\(erasure)scenario-run: \(Sanitizer.line(message))\n")
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
  mutating func hideSecrets(named names: [String]) {
    guard !names.isEmpty else { return }
    for name in names { if let warning = warning(aboutSecret: name) { complain(warning) } }
    maskOutput(secrets: names)
  }

  mutating func maskOutput(secrets names: [String]) {
    masking = Masking(secrets: names.compactMap { environment[$0] })
    standardOutput = MaskingOutput(standardOutput, masking: masking)
    standardError = MaskingOutput(standardError, masking: masking)
  }

  private func warning(aboutSecret name: String) -> String? {
    guard let value = environment[name] else {
      return "--secret \(name): there is no such variable, so nothing is masked for it."
    }
    let length = value.trimmingCharacters(in: .whitespacesAndNewlines).count
    if length == 0 { return "--secret \(name): the value is empty, so nothing is masked for it." }
    guard length < Masking.shortestSecret else { return nil }
    return "--secret \(name): a value of \(length) character\(length == 1 ? "" : "s") stands in "
      + "many texts by chance, so it is masked only where it is a word of its own."
  }
}
