/// An app that does what the scenario says, in the words of a shell, with the store at hand.
enum CommandApp {
  static let name = "command-app.sh"

  /// `send` records one request; `record` a line, with `~` for the quotation marks.
  static let text = #"""
    #!/bin/sh
    cd "$SIMULATOR_SHARED_RESOURCES_DIRECTORY"
    store=storedRequests.jsonl
    record() { printf '%s\n' "$1" | tr '~' '"' >> $store; }
    send() { echo https://a.example.com/click >> $store; }
    while IFS= read -r line; do
      id=${line#*\"id\":}; id=${id%%[!0-9]*}; result=
      case $line in
        *\"initialize\"*)
          result='"protocolVersion":1,"app":{"name":"a"},"actions":["perform"],"registeredActions":["run"]' ;;
        *\"command\":*) command=${line#*\"command\":\"}; eval "${command%%\"*}" >&2 ;;
      esac
      echo '{"jsonrpc":"2.0","id":'$id',"result":{'$result'}}'
    done
    """#

  /// - Parameters:
  ///   - commands: an action each, without quotation marks and backslashes.
  ///   - count: how often `send` is expected.
  static func scenario(_ commands: [String], count: String = #"{"atMost": 9}"#) -> String {
    let actions = commands.map { #"{"perform": "run", "with": {"command": "\#($0)"}}"# }
    return #"""
      {"app": "./\#(name)", "actions": [\#(actions.joined(separator: ", "))],
        "expected": [{"url": "https://a.example.com/click", "count": \#(count)}]}
      """#
  }
}
