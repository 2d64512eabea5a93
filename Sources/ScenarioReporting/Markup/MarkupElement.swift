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
