#if canImport(Darwin)
  import CoreFoundation

  extension MainLoop {
    /// A pass of the run loop that finds nothing to do has found the main queue empty.
    static var isMainQueueEmpty: Bool {
      CFRunLoopRunInMode(.defaultMode, 0, true) == .timedOut
    }
  }
#endif
