/// How much the files of a project may hold.
package enum FileLimits {
  /// What people write: a configuration, a scenario, a steps file, a table of cases.
  package static let writtenBytes = 16 << 20
  /// What tools write: fixtures with captures among them, and reports.
  package static let fixtureBytes = 1 << 30
  /// How many actions a scenario may have when `repeat` and `use` are carried out.
  package static let actions = 100_000
  /// How long a scenario may be with its variables and steps files written out.
  package static let expansionBytes = 16 << 20
  /// How many steps files may use each other, one in another.
  package static let useDepth = 64
  /// How many cases a file may have.
  package static let cases = 200_000
  /// How long all cases of a file may be together, written out.
  package static let casesBytes = 512 << 20
}
