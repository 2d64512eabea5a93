/// Cuts two long texts at the same places, so that their first difference stays.
struct Excerpt {
  private let start: Int
  private let room: Int

  /// - Parameter room: how many characters of a text are shown.
  init(of first: String, _ second: String, room: Int) {
    // Characters can be equal that are written differently.
    let place = zip(first, second).prefix { $0.utf8.elementsEqual($1.utf8) }.count
    let longest = max(first.count, second.count)
    start = max(0, min(place - room / 3, longest - room))
    self.room = room
  }

  /// The part of one of them, with an ellipsis where something is left out.
  func part(of text: String) -> String {
    let part = text.dropFirst(start).prefix(room)
    let opening = part.startIndex == text.startIndex ? "" : "…"
    return opening + part + (part.endIndex == text.endIndex ? "" : "…")
  }
}
