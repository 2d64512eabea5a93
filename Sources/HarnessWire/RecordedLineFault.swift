/// Why a line of the store can't be trusted.
package enum RecordedLineFault: Error, Sendable, Equatable {
  case empty
  /// A bare line that no URL can be: white space, a quotation mark or a control character in it.
  case notAURL
  case notUTF8
  /// The line begins as an object and is none.
  case notJSON
  case missingURL
  /// A key of the contract is there twice.
  case doubledKey(String)
  /// The value of a key is not what the contract says.
  case wrongValue(String)
  /// In the side file of cancellations.
  case notANumber
}

extension RecordedLineFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "the line is empty"
    case .notAURL: "the line is neither a JSON object nor a URL"
    case .notUTF8: "the line is not UTF-8"
    case .notJSON: "the line is not one whole JSON object"
    case .missingURL: "the object has no \"url\""
    case .doubledKey(let key): "the key \"\(key)\" is written twice"
    case .wrongValue(let key): "the value of \"\(key)\" is not what it must be"
    case .notANumber: "the line is not the number of a request"
    }
  }
}
