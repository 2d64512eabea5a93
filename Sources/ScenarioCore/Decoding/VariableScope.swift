import SourceText

/// The variables that the strings of one file may name.
struct VariableScope {
  /// Whose variables they are, for the words of a message.
  enum Owner {
    case scenario
    /// The steps file that an action at this place uses.
    case steps(use: SourceLocation)
  }

  /// A variable with the place of its name.
  struct Definition {
    var name: String
    var nameLocation: SourceLocation
    var value: JSONNode
    /// Equal for all definitions of which one that is used is enough: a column of a table.
    var usageKey: UsageKey

    var text: String? { value.scalarText }
  }

  var owner: Owner
  /// Whether names that are not known may be right all the same: their definitions can't be read.
  var isOpen = false
  private(set) var definitions: [String: Definition] = [:]

  init(owner: Owner) {
    self.owner = owner
  }

  mutating func define(_ definition: Definition) {
    definitions[definition.name] = definition
  }
}

/// Where a variable is defined, for telling which were never used.
struct UsageKey: Hashable {
  var path: String
  var offset: Int

  init(_ location: SourceLocation) {
    path = location.path
    offset = location.range.lowerBound
  }
}

extension JSONNode {
  /// A string, number or boolean as text; `nil` for everything else.
  var scalarText: String? {
    switch value {
    case .string(let text), .number(let text): text
    case .bool(let value): value ? "true" : "false"
    default: nil
    }
  }
}
