/// An output without secret values, for what is written without being an event: lists, explanations,
/// complaints.
package final class MaskingOutput: TextOutput {
  private let output: any TextOutput
  private let masking: Masking

  package init(_ output: any TextOutput, masking: Masking) {
    self.output = output
    self.masking = masking
  }

  package func write(_ text: String) throws {
    try output.write(masking.masked(text))
  }
}
