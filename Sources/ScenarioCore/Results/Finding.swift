import HarnessProtocol
import RequestMatching
import SourceText
import StubMappings

/// One thing that is wrong, as data: every report words it from here.
package enum Finding: Sendable {
  /// An expectation is not met.
  case wrongCount(WrongCount)
  /// Requests came before what they have to come after.
  case tooEarly(EarlyRequests)
  /// Accounted requests that no expectation names, or that offend a `sends`.
  case unexpectedRequest(UnexpectedRequest)
  /// Something is wrong with what was sent, whatever was expected.
  case flaw(DataFlaw)
  /// The app answered an action with an error of its own: not found, timed out, assertion failed.
  case actionFailed(ActionFailure)
  /// A file that the scenario names is doubtful.
  case fileDoubt(FileDoubt)
  /// All is as expected, although the scenario is known to fail, for this reason.
  case fixedIssue(String)
  /// Schedules of a sweep fail; each way of failing is told as a result of its own.
  case sweep(SweepCounts)
  /// What of the app its kit can't see, so that a request may be missed: the app's own words.
  case unseen([String])
  /// A file of the scenario is valid, but doubtful.
  case fileWarning(Diagnostic)
  /// Nothing can be said about the app's requests: it crashed, hung, broke the protocol.
  case runError(RunError)

  /// Whether the scenario is errored for it rather than failed.
  package var isError: Bool {
    if case .runError = self { true } else { false }
  }
}

/// An expectation that is not met: wanted and got.
package struct WrongCount: Sendable {
  /// Where the expectation stands.
  package enum Scope: Sendable {
    case expected
    case sends(StepReference)
    case expectRequests(StepReference)
  }

  package var scope: Scope
  /// The pattern in one line: its URL, after the method where it has one.
  package var pattern: String
  package var wanted: ExpectedCount
  package var got: Int
  package var measure = Expectation.Measure.attempts
  package var location: SourceLocation
  /// The requests that matched, in the order in which they were sent; at most `FindingLimits.occurrences`.
  package var matched: [RequestOccurrence] = []
  /// What came instead, nearest first.
  package var nearMisses: [NearMiss] = []
  /// Requests that match, but were caused by another action than the `sends` belongs to.
  package var elsewhere: [RequestOccurrence] = []
  /// Whether the scenario recorded no request at all.
  package var nothingWasSent = false
  /// Other expectations that are not met for the same reason; they have no finding of their own.
  package var related: [RelatedExpectation] = []
  /// With `forEach`: the objects that it stands for.
  package var objects: [FixtureObject] = []
  /// Paths of its `where` that find nothing in any event of the name.
  package var blindPaths: [BlindPath] = []
}

/// Requests that an expectation counts without an earlier one of the expectation that it is `after`.
package struct EarlyRequests: Sendable {
  package var scope: WrongCount.Scope
  /// As in `WrongCount`.
  package var pattern: String
  package var count: Int
  /// At most `FindingLimits.occurrences`, in order; never empty.
  package var occurrences: [RequestOccurrence]
  package var location: SourceLocation
  package var objects: [FixtureObject]
  /// The name of what they have to come after, and where it stands.
  package var after: String
  package var afterLocation: SourceLocation
  /// The first that came of it, too late; `nil` where none came.
  package var first: RequestOccurrence?
}

/// An expectation that is not met for the reason that a finding tells of another one.
package struct RelatedExpectation: Sendable {
  package var scope: WrongCount.Scope
  package var wanted: ExpectedCount
  package var got: Int
  package var location: SourceLocation
}

/// A request that nothing names, with all its repetitions.
package struct UnexpectedRequest: Sendable {
  /// The actions whose `sends` it offends, in order; empty where it offends the scenario as a whole.
  package var during: [StepReference] = []
  package var count: Int
  /// At most `FindingLimits.occurrences` of them, in order; never empty.
  package var occurrences: [RequestOccurrence]
  /// How many different requests these are: 1, but for what is left over when there are too many
  /// different ones to tell them apart (see `FindingLimits.unexpectedRequests`).
  package var distinctCount = 1
  /// Set where a stub answered it.
  package var stubbing: Stubbing?
  /// What it may have been meant for, where no stub answered it.
  package var nearestStub: NearestStub?

  /// Why a request has to be named although a stub answered it.
  package enum Stubbing: Sendable {
    /// `tracking` is nowhere written.
    case everyHostIsTracked
    case hostIsTracked
    /// Its host isn't, but a decoder looks at it.
    case isDecoded
  }
}

/// A recorded request as a finding shows it.
package struct RequestOccurrence: Sendable {
  package var method: String?
  package var url: String
  /// Wall time: seconds since launch.
  package var time: Double?
  /// The app's clock: seconds since its start date.
  package var clock: Double?
  /// The action that caused it; `nil` where the store doesn't say.
  package var cause: RequestCause?
  package var answer: RecordedRequest.Answer?
  /// How it ended for the app, where the store says so.
  package var end: RequestEnd?
  /// Set where it is one event of that request.
  package var event: EventReference?

  package init(
    method: String? = nil, url: String, time: Double? = nil, clock: Double? = nil,
    cause: RequestCause? = nil, answer: RecordedRequest.Answer? = nil, end: RequestEnd? = nil
  ) {
    self.method = method
    self.url = url
    self.time = time
    self.clock = clock
    self.cause = cause
    self.answer = answer
    self.end = end
  }

  /// When it was sent: by the app's clock, or where the store has none by the wall's.
  package var sentAt: Double? { clock ?? time }
}

/// Which event of a request is meant.
package struct EventReference: Sendable, Equatable {
  package var name: String
  package var decoder: String
  /// From 1.
  package var number: Int
  /// How many the request has.
  package var count: Int

  package init(_ event: AnalyticsEvent) {
    (name, decoder) = (event.name, event.decoder)
    (number, count) = (event.number, event.count)
  }
}

/// What was in hand when a request was caused.
package enum RequestCause: Sendable {
  case launch
  case step(StepReference)
  /// After the last action: while the app shut down.
  case shutdown

  /// `nil` where it was no action.
  package var step: StepReference? {
    if case .step(let step) = self { step } else { nil }
  }
}

/// A request that is nearly the wanted one.
package struct NearMiss: Sendable {
  package var request: RequestOccurrence
  /// How many such requests there are.
  package var count = 1
  package var differences: [Difference]
  /// Whether it stands for another expectation already, of which it misses less.
  package var isTaken = false
  /// The stub that it may have been meant for, where no stub answered it.
  package var nearestStub: NearestStub?
}

package typealias Difference = RequestMatching.Difference
package typealias NearestStub = StubMappings.NearestStub
