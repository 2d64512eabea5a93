import JSON

/// Something on the app's screen, as the answer to `screen` describes it.
package struct ScreenElement: Sendable, Hashable {
  package var type: String
  /// The accessibility identifier; empty where there is none.
  package var identifier: String
  package var label: String
  package var value: String?
  package var isEnabled: Bool
  package var isVisible: Bool
  package var children: [ScreenElement]

  package init(
    type: String, identifier: String = "", label: String = "", value: String? = nil,
    isEnabled: Bool = true, isVisible: Bool = true, children: [ScreenElement] = []
  ) {
    self.type = type
    self.identifier = identifier
    self.label = label
    self.value = value
    self.isEnabled = isEnabled
    self.isVisible = isVisible
    self.children = children
  }
}

/// What is on the app's screen: the outermost elements.
package struct Screen: Sendable, Hashable {
  package var elements: [ScreenElement]

  package init(_ elements: [ScreenElement] = []) { self.elements = elements }

  /// Reads the answer to `screen`.
  ///
  /// - Returns: `nil` where it isn't one: `elements`, a list of objects, each with a `type`.
  package init?(_ answer: JSONValue) {
    guard let elements = ScreenElement.list(answer["elements"]) else { return nil }
    self.elements = elements
  }

  /// The answer to `screen`.
  package var json: JSONValue { ["elements": .array(elements.map(\.json))] }
}

extension ScreenElement {
  fileprivate init?(_ value: JSONValue) {
    guard let type = value["type"]?.string,
      let children = Self.list(value["children"] ?? .array([]))
    else { return nil }
    self.init(
      type: type, identifier: value["identifier"]?.string ?? "",
      label: value["label"]?.string ?? "", value: value["value"]?.string,
      isEnabled: value["enabled"]?.bool ?? true, isVisible: value["visible"]?.bool ?? true,
      children: children)
  }

  fileprivate static func list(_ value: JSONValue?) -> [ScreenElement]? {
    guard let values = value?.array else { return nil }
    let elements = values.compactMap(ScreenElement.init)
    return elements.count == values.count ? elements : nil
  }

  /// Members that say what is usual are left out.
  fileprivate var json: JSONValue {
    [
      "type": .string(type), "identifier": identifier.isEmpty ? nil : .string(identifier),
      "label": label.isEmpty ? nil : .string(label), "value": value.map(JSONValue.string),
      "enabled": isEnabled ? nil : false, "visible": isVisible ? nil : false,
      "children": children.isEmpty ? nil : .array(children.map(\.json)),
    ]
  }
}
