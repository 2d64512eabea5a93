import HarnessProtocol

/// What is different on a screen: for people, who look at it before and after an action.
///
/// An element stays the same one when its whole subtree does, or when its type and identifier do and it
/// is in the same holder. So a row that comes first in a list leaves the others as they were.
package struct ScreenChanges: Sendable {
  /// An element that is there before and after.
  package struct Change: Sendable, Equatable {
    /// The place before.
    package var old: Int
    /// The place after.
    package var new: Int
  }

  package let before: ScreenOutline
  package let after: ScreenOutline
  /// Places after: the outermost of what appeared, which holds nothing that was there before.
  package private(set) var appeared: [Int] = []
  /// Places before: the outermost of what disappeared.
  package private(set) var disappeared: [Int] = []
  /// Label, value, enabled or visible are different.
  package private(set) var changed: [Change] = []

  package init(from before: ScreenOutline, to after: ScreenOutline) {
    self.before = before
    self.after = after
    compare(before.roots, after.roots)
  }

  package var isEmpty: Bool { appeared.isEmpty && disappeared.isEmpty && changed.isEmpty }

  private mutating func compare(_ old: [Int], _ new: [Int]) {
    // What is the same as a whole, in the same order, needs no further look.
    let oldElements = old.map { before.entries[$0].element }
    let newElements = new.map { after.entries[$0].element }
    let difference = newElements.difference(from: oldElements)
    var removed = difference.removals.map { old[$0.offset] }
    for insertion in difference.insertions {
      let place = new[insertion.offset]
      guard let match = removed.firstIndex(where: { isSame($0, place) }) else {
        appeared.append(place)
        continue
      }
      compare(removed.remove(at: match), place)
    }
    disappeared += removed
  }

  private func isSame(_ old: Int, _ new: Int) -> Bool {
    let (old, new) = (before.entries[old].element, after.entries[new].element)
    return old.type == new.type && old.identifier.utf8.elementsEqual(new.identifier.utf8)
  }

  private mutating func compare(_ old: Int, _ new: Int) {
    let (oldElement, newElement) = (before.entries[old].element, after.entries[new].element)
    if oldElement.withoutChildren != newElement.withoutChildren {
      changed.append(Change(old: old, new: new))
    }
    compare(before.entries[old].children, after.entries[new].children)
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}

extension ScreenElement {
  fileprivate var withoutChildren: ScreenElement {
    var alone = self
    alone.children = []
    return alone
  }
}
