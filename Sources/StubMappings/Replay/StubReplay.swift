import JSON
import RequestMatching
import Synchronization

/// Answers requests by stubs; safe to be asked by many threads at once.
///
/// Mappings come before captures, so that a captured answer can be replaced by a mapping.
package final class StubReplay: Sendable {
  fileprivate struct Progress {
    /// How often each stub has answered.
    var answers: [Int]
    /// Those that have answered for the first time since somebody asked.
    var newlyUsed: [Int] = []
    /// Where a machine is no longer in its initial state.
    var states: [ByteText: String] = [:]
  }

  /// The first comes first.
  private let stubs: [Stub]
  private let patterns: PatternSet
  private let captures: [CaptureReplay]
  private let progress: Mutex<Progress>

  package init(_ set: StubSet) {
    stubs = Self.ranked(set.stubs)
    patterns = PatternSet(stubs.map(\.pattern), ignoring: .none)
    captures = set.captures.map(CaptureReplay.init)
    progress = Mutex(Progress(answers: Array(repeating: 0, count: stubs.count)))
  }

  /// By priority, of equal ones the later first.
  private static func ranked(_ stubs: [Stub]) -> [Stub] {
    stubs.enumerated().sorted { left, right in
      (left.element.priority, right.offset) < (right.element.priority, left.offset)
    }.map(\.element)
  }

  package var isEmpty: Bool { stubs.isEmpty && captures.isEmpty }

  /// The stubs and captures that have answered nothing so far, sorted by their place.
  ///
  /// A stub of which only some `responses` were given, and a capture of which only some entries were,
  /// are used.
  package var unused: [StubSource] {
    let answers = progress.withLock(\.answers)
    let unusedStubs = zip(stubs, answers).filter { $0.1 == 0 }.map(\.0.source)
    let unusedCaptures = captures.filter { !$0.isUsed }.map {
      StubSource(path: $0.capture.path, line: 1)
    }
    return (unusedStubs + unusedCaptures).sorted { ($0.path, $0.line) < ($1.path, $1.line) }
  }

  /// The stubs and captures that have answered something, without those of earlier calls, sorted by
  /// their place.
  package func takeUsed() -> [StubSource] {
    let used = progress.withLock { progress in
      defer { progress.newlyUsed = [] }
      return progress.newlyUsed
    }
    let usedCaptures = captures.filter { $0.takeIsUsed() }.map {
      StubSource(path: $0.capture.path, line: 1)
    }
    return (used.map { stubs[$0].source } + usedCaptures).sorted {
      ($0.path, $0.line, $0.column) < ($1.path, $1.line, $1.column)
    }
  }

  /// Where the body of an answer is written that was given.
  ///
  /// - Parameter contents: of a file that a stub names as its body.
  package func place(
    ofBody body: some Collection<UInt8>, contents: (_ file: String) -> [UInt8]?
  ) -> BodyPlace? {
    let answers = progress.withLock(\.answers)
    for (stub, count) in zip(stubs, answers) {
      for (number, response) in stub.responses.prefix(count).enumerated() {
        guard case .message(let message) = response.outcome else { continue }
        switch message.body {
        case .bytes(let bytes) where bytes.elementsEqual(body):
          return BodyPlace(
            path: stub.source.path, offset: stub.location?.range.lowerBound, response: number)
        case .file(let name) where contents(name)?.elementsEqual(body) == true:
          return BodyPlace(path: name)
        default: continue
        }
      }
    }
    return captures.lazy.compactMap { $0.place(ofBody: body) }.first
  }

  /// The answer to a request that is being sent; each call counts as one request.
  ///
  /// - Returns: `nil` where no stub matches.
  /// - Throws: `StubDoubt` where it can't be told which stub answers, or what.
  package func answer(to request: MatchableRequest) throws(StubDoubt) -> StubResponse? {
    if !stubs.isEmpty, let response = try mappedAnswer(to: request) { return response }
    for capture in captures {
      if let message = try capture.answer(to: request) { return StubResponse(.message(message)) }
    }
    return nil
  }

  private func mappedAnswer(to request: MatchableRequest) throws(StubDoubt) -> StubResponse? {
    var matching: [(rank: Int, doubt: MatchingDoubt?)] = []
    request.url.bytes.withUnsafeBufferPointer { url in
      patterns.forEachMatch(url: url, isGet: request.method == "GET", request: { request }) {
        matching.append(($0, $1))
      }
    }
    matching.sort { $0.rank < $1.rank }
    return try progress.withLock { progress throws(StubDoubt) in
      for (rank, doubt) in matching where progress.isInState(of: stubs[rank]) {
        if let doubt { throw .undecided(doubt) }
        return progress.answer(of: stubs[rank], at: rank)
      }
      return nil
    }
  }
}

extension StubReplay.Progress {
  fileprivate func isInState(of stub: Stub) -> Bool {
    guard let state = stub.state, let required = state.required else { return true }
    return (states[ByteText(state.machine)] ?? StubState.initial).hasSameBytes(as: required)
  }

  fileprivate mutating func answer(of stub: Stub, at rank: Int) -> StubResponse {
    if let state = stub.state, let next = state.next { states[ByteText(state.machine)] = next }
    if answers[rank] == 0 { newlyUsed.append(rank) }
    defer { answers[rank] += 1 }
    return stub.responses[min(answers[rank], stub.responses.count - 1)]
  }
}

/// Answers requests as a capture's server did.
///
/// A request gets the answer to the first captured request with its method, URL and, where these leave
/// several bodies, body that has not been given yet, and after that the last one again and again.
private final class CaptureReplay: Sendable {
  let capture: HARCapture
  private let given = Mutex<Set<Int>>([])
  private let isTold = Mutex(false)

  init(_ capture: HARCapture) {
    self.capture = capture
  }

  var isUsed: Bool { given.withLock { !$0.isEmpty } }

  /// - Returns: whether it is used, and wasn't when this was asked before.
  func takeIsUsed() -> Bool {
    isUsed
      && isTold.withLock { isTold in
        defer { isTold = true }
        return !isTold
      }
  }

  func place(ofBody body: some Collection<UInt8>) -> BodyPlace? {
    let entry = given.withLock { $0 }.sorted().first { entry in
      guard let message = try? capture.message(of: entry), case .bytes(let bytes) = message.body
      else { return false }
      return bytes.elementsEqual(body)
    }
    return entry.map { BodyPlace(path: capture.path, offset: capture.offset(of: $0)) }
  }

  func answer(to request: MatchableRequest) throws(StubDoubt) -> StubMessage? {
    do throws(HARFault) {
      let candidates = try capture.entries(for: request)
      guard let last = candidates.last else { return nil }
      let chosen = given.withLock { given in
        let chosen = candidates.first { !given.contains($0) } ?? last
        given.insert(chosen)
        return chosen
      }
      return try capture.message(of: chosen)
    } catch {
      throw .unreadableCapture(path: capture.path, error)
    }
  }
}

/// Where the body of an answer is written.
package struct BodyPlace: Sendable, Equatable {
  /// The file of the stub or the capture, or the one that has nothing but the body.
  package var path: String
  /// A byte of the mapping or of the captured exchange; `nil` where the file is the body.
  package var offset: Int?
  /// Which of a mapping's `responses`, from 0.
  package var response: Int

  package init(path: String, offset: Int? = nil, response: Int = 0) {
    self.path = path
    self.offset = offset
    self.response = response
  }
}

/// Why nobody can say what the answer to a request is.
package enum StubDoubt: Error, Sendable, CustomStringConvertible {
  /// Whether a stub matches.
  case undecided(MatchingDoubt)
  /// With the capture's path, and what is wrong in it.
  case unreadableCapture(path: String, HARFault)

  package var description: String {
    switch self {
    case .undecided(let doubt): "It can't be told whether a stub answers. \(doubt)"
    case .unreadableCapture(let path, let fault):
      "The capture \"\(path)\" can't be read: \(fault.message)"
    }
  }
}
