import SourceText

/// An action as it is written: before `repeat` and `use` are unrolled.
indirect enum DecodedAction {
  /// A step without its id.
  case step(Step)
  case group(DecodedGroup)
}

/// A `repeat` or a `use`.
struct DecodedGroup {
  var title: String
  var repetitions: Int
  var actions: [DecodedAction]
  var sends: [Expectation]?
  var location: SourceLocation
}
