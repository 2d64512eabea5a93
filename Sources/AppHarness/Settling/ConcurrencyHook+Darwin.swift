#if canImport(Darwin)
  import Darwin

  extension ConcurrencyHook {
    /// `RTLD_DEFAULT`, which the importer does not show.
    static var defaultHandle: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: -2) }
  }
#endif
