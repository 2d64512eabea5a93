/// An element of an XML file.
package struct MarkupElement: Sendable, Equatable {
  package enum Child: Sendable, Equatable {
    case element(MarkupElement)
    case text(String)
  }

  package struct Attribute: Sendable, Equatable {
    package var name: String
    package var value: String
  }

  package var name: String
  /// Of a file: by name, for `XMLParser` does not tell their order.
  package var attributes: [Attribute] = []
  package var children: [Child] = []

  package init(_ name: String, _ attributes: [Attribute] = [], _ children: [Child] = []) {
    self.name = name
    self.attributes = attributes
    self.children = children
  }

  package var elements: [MarkupElement] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  package func elements(named name: String) -> [MarkupElement] {
    elements.filter { $0.name == name }
  }

  package subscript(_ attribute: String) -> String? {
    get { attributes.first { $0.name == attribute }?.value }
    set {
      if let place = attributes.firstIndex(where: { $0.name == attribute }) {
        attributes[place].value = newValue ?? ""
        if newValue == nil { attributes.remove(at: place) }
      } else if let newValue {
        attributes.append(Attribute(name: attribute, value: newValue))
      }
    }
  }

  /// Each element on lines of its own; the text of one that has no elements as it is.
  package func text(indentation: String = "") -> String {
    let start =
      "\(indentation)<\(name)"
      + attributes.map { XMLText.attribute($0.name, $0.value) }.joined()
    if children.isEmpty { return start + "/>\n" }
    if elements.isEmpty { return "\(start)>\(XMLText.escaped(content))</\(name)>\n" }
    let inner = elements.map { $0.text(indentation: indentation + "  ") }.joined()
    return "\(start)>\n\(inner)\(indentation)</\(name)>\n"
  }

  /// The text in it, without that of its elements.
  package var content: String {
    children.map { if case .text(let text) = $0 { text } else { "" } }.joined()
  }
}

/// Escapes text for XML 1.0.
enum XMLText {
  /// With the blank before it.
  static func attribute(_ name: String, _ value: String) -> String {
    " \(name)=\"\(escaped(value, isAttribute: true))\""
  }

  /// Seconds with three decimals, whatever the locale.
  static func seconds(_ duration: Duration) -> String {
    let milliseconds = Int((duration / .milliseconds(1)).rounded())
    return "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
  }

  /// For an element's text and for an attribute in double quotes; what XML 1.0 forbids, and terminal
  /// escapes, are removed.
  static func escaped(_ text: String, isAttribute: Bool = false) -> String {
    var result = ""
    var previous: Unicode.Scalar = " "
    for scalar in TerminalEscapes.removed(from: text).unicodeScalars where isAllowed(scalar) {
      defer { previous = scalar }
      switch scalar {
      // The marks of CI servers' commands, for a report that is written to stdout.
      case "#" where previous == "#": result += "&#35;"
      case ":" where previous == ":": result += "&#58;"
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"" where isAttribute: result += "&quot;"
      case "\n" where isAttribute: result += "&#10;"
      case "\t" where isAttribute: result += "&#9;"
      case "\r": result += "&#13;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The characters of XML 1.0 (fifth edition), section 2.2; the discouraged controls go as well.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x85: true
    case 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD: !(0xFDD0...0xFDEF).contains(scalar.value)
    case 0x10000...0x10FFFF: scalar.value & 0xFFFE != 0xFFFE
    default: false
    }
  }
}
