/// What an app should not say.
enum Leaks {
  private static let token = Surroundings.variable("TOKEN") ?? "none"
  private static let encoded = token.utf8.map(percentEncoded).joined()

  static let text = """
    token \(token) \(encoded)
    > Authorization: Bearer header-value
    curl -H 'Cookie: sid=cookie-value' https://a.example.com/
    {"Authorization":"Basic \(base64(Array("user:\(token)".utf8)))"}
    """

  private static func percentEncoded(_ byte: UInt8) -> String {
    let character = Character(Unicode.Scalar(byte))
    if byte < 0x80, character.isLetter || character.isNumber { return String(character) }
    let digits = String(byte, radix: 16, uppercase: true)
    return "%" + (digits.count < 2 ? "0" : "") + digits
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    return stride(from: 0, to: bytes.count, by: 3).map { start in
      let three = (start..<start + 3).map { $0 < bytes.count ? Int(bytes[$0]) : 0 }
      let bits = three[0] << 16 | three[1] << 8 | three[2]
      let count = min(bytes.count - start, 3) + 1
      return String((0..<4).map { $0 < count ? digits[bits >> (18 - 6 * $0) & 63] : "=" })
    }.joined()
  }

  static let storeLine =
    #"{"url":"https://a.example.com/?token=\#(encoded)","headers":{"Cookie":"sid=cookie-value","#
    + #""Authorization":"Bearer header-value"}}"#
    + "\n"

  static let commands = """
    ::error::forged
      ::add-mask::forged
    \u{3000}::stop-commands::forged
    ##vso[task.complete result=Succeeded;]forged
    text ##[error]forged ##teamcity[forged]
    \u{1B}]8;;https://a.example.com/\u{1B}\\link\u{1B}]8;;\u{1B}\\ \u{9B}2J \u{202E}<b>
    """
}
