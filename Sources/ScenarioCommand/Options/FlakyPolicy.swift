/// What a pass after a failure does to the exit code.
enum FlakyPolicy: String, CaseIterable {
  case fail, pass
}
