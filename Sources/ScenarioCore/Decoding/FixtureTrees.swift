import JSON
import RequestMatching
import SourceText
import Synchronization

/// A value of a fixture with its place.
struct FixtureNode: JSONPathNode {
  var node: JSONNode
  /// From the root: `$.modules[0].items[1]`.
  var path: String

  var json: JSONValue { JSONValue(node) }

  var elements: [FixtureNode]? {
    node.arrayValue?.enumerated().map { FixtureNode(node: $1, path: "\(path)[\($0)]") }
  }

  var children: [FixtureNode] { elements ?? (node.objectValue ?? []).map(child) }

  func members(named name: String) -> [FixtureNode] {
    (node.objectValue ?? []).filter { $0.key.utf8.elementsEqual(name.utf8) }.map(child)
  }

  private func child(_ member: JSONMember) -> FixtureNode {
    let isPlain = member.key.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
    return FixtureNode(
      node: member.value, path: path + (isPlain ? ".\(member.key)" : "['\(member.key)']"))
  }
}

/// The fixtures that expectations are made from, each read once however many name it.
package final class FixtureTrees: Sendable {
  struct Failure: Error {
    var message: String
  }

  private let trees = Mutex<[ByteText: Result<JSONNode, Failure>]>([:])

  package init() {}

  func tree(
    _ path: String, shownAs shown: String, _ files: any FileAccess
  ) -> Result<JSONNode, Failure> {
    if let known = trees.withLock({ $0[ByteText(path)] }) { return known }
    let tree = Self.read(path, shown, files)
    trees.withLock { $0[ByteText(path)] = tree }
    return tree
  }

  private static func read(
    _ path: String, _ shown: String, _ files: any FileAccess
  ) -> Result<JSONNode, Failure> {
    do {
      let bytes = try files.bytes(ofFile: path)
      let (node, problems) = JSONParser.parse(SourceFile(path: shown, bytes: bytes))
      let problem = problems.first { $0.severity == .error }
      guard let node, problem == nil else {
        let place = problem?.location.map { " (\($0.description))" } ?? ""
        return .failure(Failure(message: (problem?.message ?? "it is empty.") + place))
      }
      return .success(node)
    } catch {
      return .failure(Failure(message: "it can't be read: \(error)."))
    }
  }
}
