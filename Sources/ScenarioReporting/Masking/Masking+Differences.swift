import RequestMatching
import ScenarioCore

extension Masking {
  /// A difference whose values are masked where they have to be, and which still shows that they
  /// differ.
  func masked(_ difference: Difference) -> Difference {
    var masked = difference
    masked.part = self.masked(difference.part)
    if isCredential(difference.part) {
      masked.wanted = difference.wanted.map { value in
        difference.isCondition
          ? Self.condition(value) : Credentials.masked(value)
      }
      masked.got = difference.got.map(Credentials.masked)
    } else {
      masked.wanted = difference.wanted.map { maskedWords($0) }
      masked.got = difference.got.map { maskedWords($0) }
    }
    if masked.got != nil, masked.got == masked.wanted, difference.got != difference.wanted {
      masked.got? += " (another value)"
    }
    return masked
  }

  private func masked(_ part: Difference.Part) -> Difference.Part {
    switch part {
    case .method, .scheme, .host, .port, .path, .url, .fragment: part
    case .queryParameter(let name): .queryParameter(masked(name))
    case .header(let name): .header(masked(name))
    case .cookie(let name): .cookie(masked(name))
    case .body(let path): .body(masked(path))
    }
  }

  private func isCredential(_ part: Difference.Part) -> Bool {
    switch part {
    case .cookie: true
    case .header(let name): Credentials.isCredential(header: name)
    case .body(let path):
      // `$.headers.Authorization`, `$["Set-Cookie"]`
      Credentials.isCredential(
        header: String(
          path.reversed().drop { "\"']".contains($0) }
            .prefix { !".[\"'".contains($0) }.reversed()))
    default: false
    }
  }

  /// The words of a condition without its value: `contains ***`.
  private static func condition(_ words: String) -> String {
    for kind in ["contains", "does not contain", "matches", "does not match"]
    where words.hasPrefix(kind + " ") {
      let value = words.dropFirst(kind.count + 1)
      let isQuoted = value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
      return kind + " " + Credentials.masked(characterCount: value.count - (isQuoted ? 2 : 0))
    }
    return Credentials.masked(words)
  }
}
