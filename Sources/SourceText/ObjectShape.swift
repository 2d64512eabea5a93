/// The keys that an object of a file may have: one table for the decoder and for the schema.
///
/// A class, since each reader of an object has one, and the tables are shared.
package final class ObjectShape: Sendable {
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
  package let name: String
  package let keys: [Key]
  /// By the names of the keys.
  private let places: [String: Int]
  let requiredKeys: [String]
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
    places = Dictionary(zip(keys.map(\.name), keys.indices)) { first, _ in first }
    requiredKeys = keys.filter(\.isRequired).map(\.name)
    makeStrangers = misplacedKeys
  }

  /// The same object with other keys that belong elsewhere.
  package func with(
    misplacedKeys: @autoclosure @escaping @Sendable () -> [String: String]
  ) -> ObjectShape {
    ObjectShape(name, keys: keys, misplacedKeys: misplacedKeys())
  }

  /// The same object without some keys.
  package func without(_ names: Set<String>) -> ObjectShape {
    ObjectShape(
      name, keys: keys.filter { !names.contains($0.name) }, misplacedKeys: self.misplacedKeys)
  }

  /// What a message says of keys that belong elsewhere, group by group; of a key in several the first counts.
  package static func misplaced(
    _ groups: (keys: any Sequence<String>, words: String)...
  ) -> [String: String] {
    let pairs = groups.flatMap { group in group.keys.map { ($0, group.words) } }
    return Dictionary(pairs) { first, _ in first }
  }

  package func key(_ name: String) -> Key? { places[name].map { keys[$0] } }

  /// Whether a member is known, and nothing is wrong with its value as far as its kind says.
  func fits(_ member: JSONMember) -> Bool {
    places[member.key].map { member.value.fits(keys[$0].kind) } ?? false
  }
}
