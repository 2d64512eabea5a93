/// Why a line of the store can't be trusted.
package enum RecordedLineFault: Error, Sendable, Equatable {
  case empty
  /// A bare line that no URL can be: white space, a quotation mark or a control character in it.
  case notAURL
  case notUTF8
  /// The line begins as an object and is none.
  case notJSON
  case missingURL
  /// Without a scheme.
  case relativeURL
  /// A key of the contract is there twice.
  case doubledKey(String)
  /// The value of a key is not what the contract says.
  case wrongValue(String)
  /// A line with `ends` has one of `status` and `error`, and no `url`.
  case malformedEnd
  /// The end of a request that no earlier line of the file records, or whose end is there already.
  case unfoundedEnd(Int)
  /// An action that was never sent to the app.
  case unknownAction(Int)
  /// An action that was sent to the app only after the request was recorded.
  case laterAction(Int, inHand: Int)
  /// A stub answered, it says, in a scenario without stubs.
  case answeredWithoutStubs
}

extension RecordedLineFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "the line is empty"
    case .notAURL: "the line is neither a JSON object nor a URL"
    case .notUTF8: "the line is not UTF-8"
    case .notJSON: "the line is not one whole JSON object"
    case .missingURL: "the object has no \"url\""
    case .relativeURL:
      "the URL isn't absolute. Record it whole, with its scheme, as in https://ad.example.com/click"
    case .doubledKey(let key): "the key \"\(key)\" is written twice"
    case .wrongValue(let key): "the value of \"\(key)\" is not what it must be"
    case .malformedEnd:
      "a line with \"ends\" needs either \"status\", from 100 to 999, or \"error\", and no \"url\""
    case .unfoundedEnd(let number):
      "request \(number) of this file can't end here: it wasn't recorded before, or has ended already"
    case .unknownAction(let action):
      "the request names action \(action), which was never sent to the app. \"action\" is the \"id\" "
        + "that was in hand when the request was caused"
    case .laterAction(let action, let inHand):
      "the request names action \(action), but was recorded while action \(inHand) was in hand. "
        + "\"action\" is the \"id\" that was in hand when the request was caused"
    case .answeredWithoutStubs:
      "the request was answered by a stub, it says, but the scenario has no stubs. Write \"default\" "
        + "where no stub answered"
    }
  }
}
