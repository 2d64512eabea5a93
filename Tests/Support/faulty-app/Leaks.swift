import Foundation

/// What an app should not say.
enum Leaks {
  private static let token = ProcessInfo.processInfo.environment["TOKEN"] ?? "none"
  private static let encoded =
    token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""

  static let text = """
    token \(token) \(encoded)
    > Authorization: Bearer header-value
    curl -H 'Cookie: sid=cookie-value' https://a.example.com/
    {"Authorization":"Basic \(Data("user:\(token)".utf8).base64EncodedString())"}
    """

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
