import AppHarness
import Foundation

/// A screen of the tree of links: its own content below the query that a link handed to it.
@MainActor final class DestinationViewController: ViewController {
  private let destination: LinkDestination
  private let parameters: LinkParameters
  private let content: DestinationContent
  private let goBack: @MainActor () -> Void

  init(
    _ destination: LinkDestination, _ parameters: LinkParameters, content: DestinationContent,
    goBack: @escaping @MainActor () -> Void
  ) {
    self.destination = destination
    self.parameters = parameters
    self.content = content
    self.goBack = goBack
  }

  func viewDidLoad() { content.load() }

  var view: Element {
    var children: [Element] = [.label(AccessibilityID.Destination.parametersLabel, parameters.text)]
    if destination != .home {
      children.append(.button(AccessibilityID.Common.backButton, "Back", tap: goBack))
    }
    return Element(
      .other, AccessibilityID.Destination.view(of: destination),
      children: children + content.elements()
    )
    .onSwipe { [content] in if $0 == .up { content.didReachEnd() } }
  }
}

/// What a destination shows of its own.
@MainActor struct DestinationContent {
  var elements: @MainActor () -> [Element]
  var load: @MainActor () -> Void = {}
  var didReachEnd: @MainActor () -> Void = {}

  static let none = DestinationContent { [] }

  /// Leads to the inbox.
  static func home(openNotifications: @escaping @MainActor () -> Void) -> DestinationContent {
    DestinationContent {
      [.button(AccessibilityID.Home.notificationButton, "Notifications", tap: openNotifications)]
    }
  }

  /// The user's own page: whether the app may tell how it is used.
  static func myPage(_ analytics: AnalyticsClient) -> DestinationContent {
    DestinationContent {
      let state = analytics.isOptedOut ? "off" : "on"
      return [
        Element(.switch, AccessibilityID.MyPage.analyticsSwitch, label: "Analytics", value: state)
          .onTap { analytics.isOptedOut.toggle() }
      ]
    }
  }

  static func inbox(_ model: NotificationListViewModel) -> DestinationContent {
    typealias ID = AccessibilityID.NotificationList
    let error = Element.label(
      AccessibilityID.Common.errorView, "The notifications can't be loaded.")
    let elements = { @MainActor in
      (model.hasFailed ? [error] : [])
        + model.rows.map { row in
          Element(
            .cell, ID.cell, label: row.title,
            children: row.isRead ? [] : [.label(ID.unreadBadge, "New")]
          )
          .onTap { model.select(row.id) }
        }
    }
    return DestinationContent(
      elements: elements, load: model.loadNextPage, didReachEnd: model.loadNextPage)
  }

  static func notification(_ model: NotificationDetailViewModel) -> DestinationContent {
    typealias ID = AccessibilityID.NotificationDetail
    let elements: @MainActor () -> [Element] = {
      switch model.state {
      case .loading: return [.loading]
      case .failed: return [.label(AccessibilityID.Common.errorView, "It can't be loaded.")]
      case .loaded(let detail):
        let labels: [Element] = [
          .label(AccessibilityID.Common.titleLabel, detail.title),
          .label(ID.contentLabel, detail.content),
        ]
        let go = Element.button(ID.goButton, "Go") { model.go() }
        return labels + (detail.link == nil ? [] : [go])
      }
    }
    return DestinationContent(elements: elements, load: model.viewDidLoad)
  }
}

/// What a user without an account sees first.
@MainActor final class LoginViewController: ViewController {
  private let logIn: @MainActor () -> Void

  init(logIn: @escaping @MainActor () -> Void) {
    self.logIn = logIn
  }

  var view: Element {
    typealias ID = AccessibilityID.Login
    return Element(.other, ID.view, children: [.button(ID.loginButton, "Log in", tap: logIn)])
  }
}

/// A page of the web inside the app.
@MainActor final class WebViewController: ViewController {
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
    typealias ID = AccessibilityID.Web
    return Element(
      .other, ID.view,
      children: [
        .button(AccessibilityID.Common.backButton, "Back", tap: goBack),
        .label(ID.urlLabel, url.absoluteString),
        .button(ID.browserButton, "Open in the browser") { [url, openURL] in openURL(url) },
      ])
  }
}
