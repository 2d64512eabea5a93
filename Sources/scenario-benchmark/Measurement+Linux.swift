#if os(Linux)
  import Glibc

  extension Measurement {
    /// The most memory that the process ever had, in MiB.
    static var peakMemory: Double {
      var usage = rusage()
      getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
      return Double(usage.ru_maxrss) / 1024
    }
  }
#endif
