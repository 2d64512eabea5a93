#if os(Linux)
  import Glibc

  extension Measurement {
    /// The most memory that the process ever had, in MiB.
    static var peakMemory: Double {
      var usage = rusage()
      getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
      return mebibytes(ofPeak: usage.ru_maxrss)
    }

    /// What `getrusage` calls this process, and its children that have ended.
    static let processes: [Int32] = [Int32(RUSAGE_SELF.rawValue), Int32(RUSAGE_CHILDREN.rawValue)]

    /// Of `ru_maxrss`, which is in kilobytes here.
    static func mebibytes(ofPeak peak: Int) -> Double { Double(peak) / 1024 }
  }
#endif
