import RequestMatching
import Synchronization

/// Answers requests as a capture's server did.
///
/// A request gets the answer to the first captured request with its method, URL and, where these leave
/// several bodies, body that has not been given yet, and after that the last one again and again.
final class CaptureReplay: Sendable {
  let capture: HARCapture
  private let given = Mutex<Set<Int>>([])

  init(_ capture: HARCapture) {
    self.capture = capture
  }

  var isUsed: Bool { given.withLock { !$0.isEmpty } }

  func answer(to request: MatchableRequest) throws(StubDoubt) -> StubMessage? {
    let candidates = candidates(for: request)
    guard let last = candidates.last else { return nil }
    let chosen = given.withLock { given in
      let chosen = candidates.first { !given.contains($0) } ?? last
      given.insert(chosen)
      return chosen
    }
    do throws(HARFault) {
      return try capture.message(of: chosen)
    } catch {
      throw .unreadableCapture(path: capture.path, error)
    }
  }

  private func candidates(for request: MatchableRequest) -> [Int] {
    let sameURL = capture.entries(method: request.method, url: request.url)
    guard sameURL.count > 1 else { return sameURL }
    // Where all captured bodies are equal, a body can't decide, and need not be the same.
    let decides = capture.haveDifferentBodies(sameURL)
    return capture.ordered(
      decides ? capture.entries(sameURL, withBodyOf: request) : sameURL)
  }
}
