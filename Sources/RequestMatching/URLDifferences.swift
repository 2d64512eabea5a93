import JSON

/// What is different between two URLs, part by part.
struct URLDifferences {
  var wanted: RequestURL
  var got: RequestURL
  /// Whether scheme, host and port don't matter.
  var isRelative: Bool

  var differences: [Difference] {
    if isRelative ? wanted.pathAndQuery == got.pathAndQuery : wanted.bytes == got.bytes {
      return []
    }
    let path = difference(.path, Self.text(wanted.path), Self.text(got.path))
    let parts = (isRelative ? [] : origin) + [path] + parameters + (isRelative ? [] : [fragment])
    let differences = parts.compactMap(\.self)
    return differences.isEmpty ? [whole] : differences
  }

  /// A port that follows from the scheme alone isn't a difference of its own.
  private var origin: [Difference?] {
    let scheme = difference(.scheme, wanted.scheme.map(Self.text), got.scheme.map(Self.text))
    let isWritten = wanted.parts.port != nil || got.parts.port != nil
    return [
      scheme, difference(.host, wanted.host.map(Self.text), got.host.map(Self.text)),
      scheme == nil || isWritten
        ? difference(.port, wanted.port.map { "\($0)" }, got.port.map { "\($0)" }) : nil,
    ]
  }

  private var fragment: Difference? {
    difference(.fragment, wanted.fragment.map(Self.text), got.fragment.map(Self.text))
  }

  /// Name by name in the wanted order, then those that nobody expects.
  private var parameters: [Difference] {
    let (wanted, got) = (wanted.queryItems, got.queryItems)
    var names: [[UInt8]] = []
    for item in wanted + got where !names.contains(item.name) { names.append(item.name) }
    return names.flatMap { name in
      Self.differences(
        of: name, wanted.filter { $0.name == name }, got.filter { $0.name == name })
    }
  }

  /// The values of one name, equal ones set against each other first.
  private static func differences(
    of name: [UInt8], _ wanted: [QueryItem], _ got: [QueryItem]
  ) -> [Difference] {
    var (missing, extra) = (wanted, got)
    missing.removeAll { item in
      guard let index = extra.firstIndex(where: { $0.raw == item.raw }) else { return false }
      extra.remove(at: index)
      return true
    }
    return (0..<max(missing.count, extra.count)).map { index in
      let wanted = index < missing.count ? missing[index] : nil
      let got = index < extra.count ? extra[index] : nil
      // The same value in other escapes: decoded, nobody would see the difference.
      let isEncoding = wanted?.value == got?.value
      return Difference(
        part: .queryParameter(text(name[...])),
        wanted: wanted.map { isEncoding ? text($0.raw) : text($0.value[...]) },
        got: got.map { isEncoding ? text($0.raw) : text($0.value[...]) })
    }
  }

  /// Everything is the same but for the order of parameters, or for bytes that mean nothing.
  private var whole: Difference {
    let shown = { (url: RequestURL) in isRelative ? Self.text(url.pathAndQuery) : url.text }
    return Difference(part: .url, wanted: shown(wanted), got: shown(got))
  }

  private func difference(_ part: Difference.Part, _ wanted: String?, _ got: String?) -> Difference?
  {
    wanted.map(ByteText.init) == got.map(ByteText.init)
      ? nil : Difference(part: part, wanted: wanted, got: got)
  }

  /// Bytes that aren't valid UTF-8 are shown as `%XX`.
  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self)
      ?? bytes.map { byte in
        byte < 0x80
          ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
      }.joined()
  }
}
