#if canImport(FoundationNetworking)
  import CSystem
  import Foundation
  import FoundationNetworking

  /// Where in a task's memory the reference to its session is.
  ///
  /// Reflection finds the session as well, in 8 µs: a fifth of what a whole request costs. So the place is
  /// learnt from the first task that reflection was asked about. What stands there in other tasks is
  /// only compared with the addresses of living sessions, never used as a reference.
  struct SessionPlace {
    private var offset: Int?

    mutating func learn(from task: URLSessionTask, _ session: URLSession) {
      guard offset == nil else { return }
      let wanted = UInt(bitPattern: Unmanaged.passUnretained(session).toOpaque())
      let object = Unmanaged.passUnretained(task).toOpaque()
      let size = csystem_allocation_size(object)
      offset = stride(from: 0, to: size - 7, by: 8).first {
        object.load(fromByteOffset: $0, as: UInt.self) == wanted
      }
    }

    func identifier(in task: URLSessionTask) -> ObjectIdentifier? {
      guard let offset else { return nil }
      let object = Unmanaged.passUnretained(task).toOpaque()
      guard offset + 8 <= csystem_allocation_size(object) else { return nil }
      return unsafeBitCast(
        object.load(fromByteOffset: offset, as: UInt.self), to: ObjectIdentifier?.self)
    }
  }
#endif
