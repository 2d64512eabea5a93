extension CommandContext {
  /// Where temporary files go, without a slash at its end.
  var temporaryDirectory: String {
    let bazel = BazelTest(environment: environment)?.temporaryDirectory
    let path = bazel ?? environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
