#if os(Linux)
  import CSystem
  import Glibc

  extension MainLoop {
    static var isMainQueueEmpty: Bool {
      var handle = pollfd(fd: csystem_main_queue_handle(), events: Int16(POLLIN), revents: 0)
      return poll(&handle, 1, 0) == 0
    }
  }
#endif
