import Foundation
import HarnessProtocol
import StubMappings
import Synchronization

/// What the app couldn't decode, until the runner is told.
final class DecodingReports: Sendable {
  /// The fixtures that the app has read.
  private let fixtures = Mutex<Set<String>>([])
  private let failures = Mutex<[DecodingFailure]>([])

  func remember(fixture name: String) {
    fixtures.withLock { _ = $0.insert(name) }
  }

  var readFixtures: [String] { fixtures.withLock { $0.sorted() } }

  func add(_ failure: DecodingFailure) {
    failures.withLock { if !$0.contains(failure) { $0.append(failure) } }
  }

  /// - Returns: what has been reported since the last call.
  func take() -> [DecodingFailure] {
    failures.withLock { failures in
      defer { failures = [] }
      return failures
    }
  }
}

extension AppLaunch {
  /// Decodes the fixture that the scenario names for `key`; what is wrong in it is reported.
  ///
  /// - Returns: `nil` where the scenario names none.
  /// - Throws: `FixtureError` where the file can't be read, and what the decoder throws.
  public func decode<Value: Decodable>(
    _ type: Value.Type, fixture key: String, by decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value? {
    guard let data = try fixture(key) else { return nil }
    do {
      return try decoder.decode(type, from: data)
    } catch {
      report(error, decoding: data)
      throw error
    }
  }

  /// Tells the runner that the app couldn't decode what it got.
  ///
  /// One line in the `catch` of a repository: the runner then shows the line of the fixture or of the stub
  /// that is wrong, with the outputs of the scenario. Nothing changes for the app.
  ///
  /// - Parameters:
  ///   - error: a `DecodingError`, whose coding path leads to the place; any other is told by its
  ///     description.
  ///   - data: the fixture, or the body of a response, as the app got it.
  public func report(_ error: any Error, decoding data: Data) {
    let place = place(of: data)
    // What no stub answers is empty: in no file is anything wrong.
    if data.isEmpty, place == nil { return }
    var failure = DecodingFailure(error)
    failure.file = place?.path
    failure.offset = place?.offset
    failure.response = place?.response ?? 0
    decodingReports.add(failure)
  }

  private func place(of data: Data) -> BodyPlace? {
    let fixture = decodingReports.readFixtures.first { (try? fixtures.contents(of: $0)) == data }
    if let fixture { return BodyPlace(path: fixture) }
    return data.isEmpty ? nil : interceptor.place(ofBody: data)
  }
}

extension DecodingFailure {
  fileprivate init(_ error: any Error) {
    guard let error = error as? DecodingError else {
      self.init(message: "\(error)")
      return
    }
    switch error {
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      self.init(context)
      expected = Kind(decoded: type)
    case .keyNotFound(let key, let context):
      self.init(context)
      missingKey = key.stringValue
    case .dataCorrupted(let context): self.init(context)
    @unknown default: self.init(message: "\(error)")
    }
  }

  private init(_ context: DecodingError.Context) {
    self.init(message: context.debugDescription)
    path = context.codingPath.map { key in
      key.intValue.map(Step.index) ?? .key(key.stringValue)
    }
  }
}

extension DecodingFailure.Kind {
  /// - Returns: `nil` for a type of the app's own.
  fileprivate init?(decoded type: any Any.Type) {
    switch type {
    case is String.Type: self = .string
    case is Bool.Type: self = .boolean
    case is any Numeric.Type, is Decimal.Type: self = .number
    case is [Any].Type, is any UnkeyedDecodingContainer.Type: self = .list
    case is [String: Any].Type, is any KeyedDecodingContainerProtocol.Type: self = .object
    default: return nil
    }
  }
}
