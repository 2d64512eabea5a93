#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  extension URLSessionTaskDelegate {
    func askAboutRedirect(
      _ session: URLSession, _ task: URLSessionTask, _ response: HTTPURLResponse,
      _ request: URLRequest, _ decide: @escaping @Sendable (URLRequest?) -> Void
    ) {
      urlSession(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request,
        completionHandler: decide)
    }

    func askForBodyStream(
      _ session: URLSession, _ task: URLSessionTask,
      _ use: @escaping @Sendable (InputStream?) -> Void
    ) {
      urlSession(session, task: task, needNewBodyStream: use)
    }
  }
#endif
