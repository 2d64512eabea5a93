#if canImport(Darwin)
  import Darwin

  extension Measurement {
    /// The most memory that the process ever had, in MiB.
    static var peakMemory: Double {
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return Double(usage.ru_maxrss) / 1_048_576
    }
  }
#endif
