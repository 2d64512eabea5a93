/// An element of an XML file.
struct MarkupElement {
  enum Child {
    case element(MarkupElement)
    case text(String)
  }

  var name: String
  var attributes: [(name: String, value: String)]
  var children: [Child]

  /// - Parameter attributes: left out where they have no value.
  init(_ name: String, _ attributes: [(String, String?)] = [], _ children: [Child] = []) {
    self.name = name
    self.attributes = attributes.compactMap { name, value in value.map { (name, $0) } }
    self.children = children
  }

  /// Each element on lines of its own; the text of one that has no elements as it is.
  func text(_ indentation: String = "") -> String {
    let start = start(indentation)
    if children.isEmpty { return start + "/>\n" }
    let inner = children.map { child in
      switch child {
      case .element(let element): element.text(indentation + "  ")
      case .text(let text): XMLText.escaped(text)
      }
    }.joined()
    guard case .element = children[0] else { return "\(start)>\(inner)</\(name)>\n" }
    return "\(start)>\n\(inner)\(indentation)</\(name)>\n"
  }

  /// The start tag, without what ends it.
  func start(_ indentation: String = "") -> String {
    "\(indentation)<\(name)" + attributes.map { XMLText.attribute($0.name, $0.value) }.joined()
  }
}

/// A line that begins with a start tag.
struct MarkupTag: Equatable {
  var line: Substring

  init(_ line: Substring) { self.line = line }

  subscript(attribute: String) -> String? {
    get { value(of: attribute).map { XMLText.unescaped(line[$0]) } }
    set {
      guard let range = value(of: attribute), let newValue else { return }
      line.replaceSubrange(range, with: XMLText.escaped(newValue, isAttribute: true))
    }
  }

  /// By bytes, for a value may begin with a mark that joins the quote.
  private func value(of attribute: String) -> Range<String.Index>? {
    guard let start = line.utf8.firstRange(of: " \(attribute)=\"".utf8)?.upperBound,
      let end = line.utf8[start...].firstIndex(of: UInt8(ascii: "\""))
    else { return nil }
    return start..<end
  }
}

/// Escapes text for XML 1.0.
enum XMLText {
  static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

  /// With the blank before it.
  static func attribute(_ name: String, _ value: String) -> String {
    " \(name)=\"\(escaped(value, isAttribute: true))\""
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

  /// What an escaped text stands for.
  static func unescaped(_ text: Substring) -> String {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { bytes in
      var (result, place) = ([UInt8](), 0)
      while place < bytes.count {
        let escape = bytes[place] == UInt8(ascii: "&") ? Escape(in: bytes, at: place) : nil
        result += escape?.bytes ?? [bytes[place]]
        place = escape?.end ?? place + 1
      }
      return String(decoding: result, as: UTF8.self)
    }
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
