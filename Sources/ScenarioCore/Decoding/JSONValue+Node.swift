import HarnessProtocol
import JSON
import SourceText

extension JSONValue {
  /// A file's value as it crosses the pipe; a variable has the type that it was defined with.
  package init(_ node: JSONNode) {
    self.init(node.variable?.value ?? node.value)
  }

  private init(_ value: JSONNode.Value) {
    switch value {
    case .null, .invalid: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let text): self = JSONNumber(text).map(JSONValue.number) ?? .null
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map(JSONValue.init))
    case .object(let members):
      self = .object(JSONObject(members.map { .init($0.key, JSONValue($0.value)) }))
    }
  }
}
