import AppHarness
import Foundation

/// A screen of the tree of links: its own content below the query that a link handed to it.
@MainActor final class DestinationViewController: ViewController {
  private typealias ID = AccessibilityID.Destination

  private let destination: LinkDestination
  private let parameters: LinkParameters
  private let content: (any DestinationContent)?
  private let goBack: @MainActor () -> Void

  init(
    _ destination: LinkDestination, _ parameters: LinkParameters,
    content: (any DestinationContent)?, goBack: @escaping @MainActor () -> Void
  ) {
    self.destination = destination
    self.parameters = parameters
    self.content = content
    self.goBack = goBack
  }

  func viewDidLoad() { content?.viewDidLoad() }

  var view: Element {
    let query = parameters.sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    var children: [Element] = [.label(ID.parametersLabel, query)]
    if destination != .home {
      children.append(.button(AccessibilityID.Common.backButton, "Back", tap: goBack))
    }
    return Element(.other, identifier, children: children + (content?.elements ?? []))
      .onSwipe { [content] in if $0 == .up { content?.didReachEnd() } }
  }

  private var identifier: AccessibilityID.Destination {
    switch destination {
    case .home: .home
    case .notification: .notificationList
    case .notificationDetail: .notificationDetail
    case .soptamp: .soptamp
    case .entireRanking: .entireRanking
    case .currentGenerationRanking: .currentGenerationRanking
    case .myPage: .myPage
    case .attendance: .attendance
    case .attendanceModal: .attendanceModal
    case .poke: .poke
    case .pokeNotificationList: .pokeNotificationList
    case .fortune: .fortune
    }
  }
}

/// What a destination shows of its own.
@MainActor protocol DestinationContent: AnyObject {
  var elements: [Element] { get }

  func viewDidLoad()
  func didReachEnd()
}

extension DestinationContent {
  func viewDidLoad() {}
  func didReachEnd() {}
}

/// What a user without an account sees first.
@MainActor final class LoginViewController: ViewController {
  private typealias ID = AccessibilityID.Login

  private let logIn: @MainActor () -> Void

  init(logIn: @escaping @MainActor () -> Void) {
    self.logIn = logIn
  }

  var view: Element {
    Element(.other, ID.view, children: [.button(ID.loginButton, "Log in", tap: logIn)])
  }
}

/// A page of the web inside the app.
@MainActor final class WebViewController: ViewController {
  private typealias ID = AccessibilityID.Web

  private let url: URL
  private let openURL: @MainActor (URL) -> Void
  private let goBack: @MainActor () -> Void

  /// - Parameter openURL: leaves the app.
  init(
    url: URL, openURL: @escaping @MainActor (URL) -> Void, goBack: @escaping @MainActor () -> Void
  ) {
    self.url = url
    self.openURL = openURL
    self.goBack = goBack
  }

  var view: Element {
    Element(
      .other, ID.view,
      children: [
        .button(AccessibilityID.Common.backButton, "Back", tap: goBack),
        .label(ID.urlLabel, url.absoluteString),
        .button(ID.browserButton, "Open in the browser") { [url, openURL] in openURL(url) },
      ])
  }
}
