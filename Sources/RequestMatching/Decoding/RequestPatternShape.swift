import SourceText

/// The tables of the keys of request patterns and of matchers.
package enum RequestPatternShape {
  /// A request pattern by itself, as the `request` of a stub. An expectation has `count` besides.
  package static let pattern = ObjectShape(
    "a request pattern", keys: keys, misplacedKeys: misplacedKeys)

  /// A matcher for one value.
  package static let matcher = ObjectShape(
    "a matcher", keys: operators + options, misplacedKeys: misplacedInMatcher)

  /// A JSONPath with a matcher for all that it finds.
  package static let jsonPathMatcher = ObjectShape(
    "a matcher with a JSONPath",
    keys: [.init("expression", .nonEmptyString, "The JSONPath.", required: true)]
      + operators + options, misplacedKeys: misplacedInMatcher)

  /// A matcher for all values of a name: of a query parameter, a header or a cookie.
  package static let valuesMatcher = ObjectShape(
    "a matcher", keys: operators + valuesOperators + options, misplacedKeys: unsupportedOperators)

  package static let keys: [ObjectShape.Key] = [
    .init(
      "method", .nonEmptyString,
      "The HTTP method, in capitals; OPEN for a URL that the app hands to the system; any where absent, or \"ANY\"."
    ),
    .init(
      "url", .nonEmptyString,
      "The whole URL exactly as sent; from \"/\" on: path and query on any host."),
    .init(
      "urlPattern", .nonEmptyString,
      "A regular expression for the whole URL; from \"/\" on: for path and query."),
    .init("urlPath", .nonEmptyString, "The path exactly as sent, whatever the query is."),
    .init(
      "urlPathPattern", .nonEmptyString,
      "A regular expression for the whole path, whatever the query is."),
    .init("scheme", .nonEmptyString, "The scheme, as \"https\"."),
    .init(
      "host", .either([.nonEmptyString, .object("matcher")]), "The host, or a matcher for it."),
    .init("port", .integer(1...65535), "The port; the scheme's own where the URL has none."),
    .init(
      "queryParameters", .map(.object("valuesMatcher")),
      "Matchers for decoded query parameters, by name; where one occurs more than once, all its values must match."
    ),
    .init(
      "otherParameters", .boolean,
      "false: a request with a query parameter that queryParameters doesn't name doesn't match."),
    .init("headers", .map(.object("valuesMatcher")), "Matchers for headers, by name in any case."),
    .init("cookies", .map(.object("valuesMatcher")), "Matchers for cookies, by name."),
    .init("bodyPatterns", .list(.object("matcher")), "Matchers that must all hold for the body."),
  ]

  static let names = Set(keys.map(\.name))

  /// The keys of which a pattern has one at most.
  package static let targets = ["url", "urlPattern", "urlPath", "urlPathPattern"]

  package static let operators: [ObjectShape.Key] = [
    .init("equalTo", .string, "The value is exactly this."),
    .init("contains", .nonEmptyString, "The value has this in it."),
    .init("doesNotContain", .nonEmptyString, "The value does not have this in it."),
    .init("matches", .string, "A regular expression matches the whole value."),
    .init("doesNotMatch", .string, "The regular expression does not match the whole value."),
    .init("absent", .yes, "The value is missing."),
    .init("equalToJson", .any, "The value is this JSON, given as such or as a string."),
    .init(
      "matchesJsonPath", .either([.nonEmptyString, .object("jsonPathMatcher")]),
      "The value is JSON in which this JSONPath finds something; or what matches a matcher."),
    .init(
      "and", .list(.object("matcher"), least: 2), "All of these matchers hold for the value."),
    .init(
      "or", .list(.object("matcher"), least: 2),
      "At least one of these matchers holds for the value."),
    .init("not", .object("matcher"), "This matcher does not hold for the value."),
    .init(
      "sameAs", .nonEmptyString,
      "In an expectation: the value at the same place in the latest earlier request of the one named so."
    ),
  ]

  package static let valuesOperators: [ObjectShape.Key] = [
    .init(
      "hasExactly", .list(.object("matcher"), least: 1),
      "The name occurs as often as there are matchers here, and each holds for a value of its own."),
    .init(
      "includes", .list(.object("matcher"), least: 1),
      "Each of these matchers holds for a value of its own; there may be further values."),
  ]

  static let options: [ObjectShape.Key] = [
    .init("caseInsensitive", .boolean, "With equalTo: capitals don't matter."),
    .init("ignoreArrayOrder", .boolean, "With equalToJson: the order in lists doesn't matter."),
    .init(
      "ignoreExtraElements", .boolean,
      "With equalToJson: further members and elements don't matter."),
  ]

  package static let misplacedKeys = ObjectShape.misplaced(
    (
      [
        "urlPathTemplate", "pathParameters", "formParameters", "basicAuthCredentials", "basicAuth",
        "multipartPatterns", "customMatcher", "clientIp",
      ], unsupported
    )
  ).merging(
    (operators + valuesOperators + options).map { key in
      let places = "\"queryParameters\", \"headers\", \"cookies\" or \"bodyPatterns\"."
      return (key.name, "belongs in a matcher, as {\"\(key.name)\": …} under \(places)")
    }
  ) { first, _ in first }

  private static let misplacedInMatcher = ObjectShape.misplaced(
    (
      valuesOperators.map(\.name),
      "belongs directly under a name in \"queryParameters\", \"headers\" or \"cookies\"."
    )
  ).merging(unsupportedOperators) { first, _ in first }

  private static let unsupported = "is WireMock's, but not supported here."

  private static let unsupportedOperators = ObjectShape.misplaced(
    (["expression"], "belongs in \"matchesJsonPath\": {\"expression\": …}."),
    (
      [
        "anything", "equalToXml", "matchesXPath", "matchesJsonSchema", "binaryEqualTo", "before",
        "after", "equalToDateTime", "equalToNumber", "greaterThanNumber", "greaterThanEqualNumber",
        "lessThanNumber", "lessThanEqualNumber", "enablePlaceholders",
        "placeholderOpeningDelimiterRegex", "placeholderClosingDelimiterRegex",
        "placeholderSeparator", "namespaceAwareness", "exemptedComparisons", "xPathNamespaces",
        "schemaVersion", "actualFormat", "truncateExpected", "truncateActual",
        "applyTruncationLast",
      ], unsupported
    ))
}
