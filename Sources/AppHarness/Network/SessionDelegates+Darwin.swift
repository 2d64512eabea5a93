#if canImport(Darwin)
  import Foundation

  extension URLSessionTaskDelegate {
    func askAboutRedirect(
      _ session: URLSession, _ task: URLSessionTask, _ response: HTTPURLResponse,
      _ request: URLRequest, _ decide: @escaping @Sendable (URLRequest?) -> Void
    ) {
      let asked: Void? = urlSession?(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request,
        completionHandler: decide)
      if asked == nil { decide(request) }
    }

    func askForBodyStream(
      _ session: URLSession, _ task: URLSessionTask,
      _ use: @escaping @Sendable (InputStream?) -> Void
    ) {
      let asked: Void? = urlSession?(session, task: task, needNewBodyStream: use)
      if asked == nil { use(nil) }
    }
  }
#endif
