import RequestMatching
import SourceText

/// Where expectations meet the decoding of request patterns.
enum PatternSeam {
  static let shape = ObjectShape(
    "a request pattern",
    keys: [
      .init("method", .nonEmptyString, "The HTTP method; any where absent."),
      .init("url", .nonEmptyString, "The whole URL, or path and query."),
      .init("urlPattern", .nonEmptyString, "A regular expression for the whole URL."),
      .init("urlPath", .nonEmptyString, "The path."),
      .init("urlPathPattern", .nonEmptyString, "A regular expression for the whole path."),
      .init("host", .nonEmptyString, "The host."),
      .init("scheme", .nonEmptyString, "The scheme."),
      .init("port", .integer(1...65535), "The port."),
      .init("queryParameters", .map(.object("matcher")), "Matchers by name."),
    ])

  static func pattern(_ reader: ObjectReader) -> RequestPattern? {
    var pattern = RequestPattern(
      method: reader.string("method"), scheme: reader.string("scheme"),
      host: reader.string("host"), port: reader.integer("port"))
    pattern.target =
      reader.string("url").map { .url($0) }
      ?? reader.string("urlPath").map { .urlPath($0) }
      ?? (try? reader.string("urlPattern").map { .urlPattern(try TextPattern($0)) })
      ?? (try? reader.string("urlPathPattern").map { .urlPathPattern(try TextPattern($0)) })
    pattern.queryParameters = (reader.members("queryParameters") ?? []).compactMap { member in
      member.value["equalTo"]?.stringValue.map {
        .init(name: member.key, matcher: .equalTo($0, caseInsensitive: false))
      }
    }
    return pattern
  }
}
