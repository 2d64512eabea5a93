/// A word of a command line, as a shell reads it.
enum ShellWord {
  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:=@%+,")

  static func quoted(_ word: String) -> String {
    if !word.isEmpty, word.allSatisfy(plain.contains) { return word }
    return "'" + Sanitizer.line(word).replacing("'", with: "'\\''") + "'"
  }
}
