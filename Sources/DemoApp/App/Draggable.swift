/// A screen that follows a finger point by point.
@MainActor protocol Draggable {
  /// - Parameter points: how far the content moves up; down where negative.
  func drag(by points: Double)
}
