/// The keys that an object of a file may have: one table for the decoder and for the schema.
package struct ObjectShape: Sendable {
  package struct Key: Sendable {
    package var name: String
    package var kind: ValueKind
    /// One sentence for an editor.
    package var summary: String
    package var isRequired: Bool

    package init(_ name: String, _ kind: ValueKind, _ summary: String, required: Bool = false) {
      self.name = name
      self.kind = kind
      self.summary = summary
      isRequired = required
    }
  }

  /// What messages call such an object: `a scenario`.
  package var name: String
  package var keys: [Key]
  /// Keys that are known, but belong elsewhere or are not supported: what a message says of them
  /// after the quoted key, as `belongs into an action.`
  package var misplacedKeys: [String: String] { makeStrangers() }
  /// Made when one is met: most files hold none, and the tables are long.
  private let makeStrangers: @Sendable () -> [String: String]

  package init(
    _ name: String, keys: [Key],
    misplacedKeys: @autoclosure @escaping @Sendable () -> [String: String] = [:]
  ) {
    self.name = name
    self.keys = keys
    makeStrangers = misplacedKeys
  }

  /// The same object with other keys that belong elsewhere.
  package func with(
    misplacedKeys: @autoclosure @escaping @Sendable () -> [String: String]
  ) -> ObjectShape {
    ObjectShape(name, keys: keys, misplacedKeys: misplacedKeys())
  }

  package func key(_ name: String) -> Key? {
    keys.first { $0.name == name }
  }
}
