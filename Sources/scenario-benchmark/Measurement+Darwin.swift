#if canImport(Darwin)
  import Darwin

  extension Measurement {
    /// The most memory that the process ever had, in MiB.
    static var peakMemory: Double {
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return mebibytes(ofPeak: usage.ru_maxrss)
    }

    /// What `getrusage` calls this process, and its children that have ended.
    static let processes: [Int32] = [RUSAGE_SELF, RUSAGE_CHILDREN]

    /// Of `ru_maxrss`, which is in bytes here.
    static func mebibytes(ofPeak peak: Int) -> Double { Double(peak) / 1_048_576 }
  }
#endif
