import Foundation

/// The terminal that stdout is.
enum Terminal {
  /// Characters a line; 80 where nobody knows.
  static func width() -> Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
