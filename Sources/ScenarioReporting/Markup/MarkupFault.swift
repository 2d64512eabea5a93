/// Why a file is no XML that can be read.
package struct MarkupFault: Error, Equatable, CustomStringConvertible {
  /// From 1.
  package var line: Int
  /// From 1.
  package var column: Int
  package var reason: String

  package var description: String { "line \(line), column \(column): \(reason)" }
}

extension MarkupFault {
  /// What an error of `XMLParser` means, by its code, where that does not depend on what is open.
  ///
  /// The codes are those of libxml2. `XMLParser.ErrorCode` has the same on Apple's systems, but
  /// others on Linux, where its cases are counted from 0.
  static func reason(ofCode code: Int) -> String {
    switch code {
    case 4: "There is text before the root element."
    case 9: "A character is not one that XML allows, or the file is not in its encoding."
    case 22, 23, 26: "\"&\" begins no reference that is known."
    case 31, 32, 79, 81: "The file is not in the encoding that it names, or that is not known."
    case 38: "The value of an attribute has a \"<\"."
    case 39: "The value of an attribute is not in quotes."
    case 40: "The value of an attribute does not end."
    case 41: "An attribute has no value."
    case 42: "An attribute is there twice."
    case 45: "A comment does not end."
    case 62: "\"]]>\" is not allowed in text."
    case 63: "A CDATA section does not end."
    case 68: "A name is missing."
    case 65, 73: "A tag does not end as it should."
    default: "It is not as XML wants it (error \(code) of libxml2)."
    }
  }
}
