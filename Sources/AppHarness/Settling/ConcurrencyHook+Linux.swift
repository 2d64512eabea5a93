#if os(Linux)
  import Glibc

  extension ConcurrencyHook {
    /// `RTLD_DEFAULT`, which the importer does not show.
    static var defaultHandle: UnsafeMutableRawPointer? { nil }
  }
#endif
