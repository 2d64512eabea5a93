import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request of a task: the first, or one that a redirect leads to.
struct Hop {
  /// With all its headers and its body.
  var request: URLRequest
  /// 0 is the first.
  var number: Int

  func following(_ response: RequestAnswer.Response, to url: URL) -> Hop {
    Hop(
      request: RedirectedRequest.following(request, status: response.status, to: url),
      number: number + 1)
  }
}
