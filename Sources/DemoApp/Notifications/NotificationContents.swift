import AppHarness

/// Leads to the inbox.
@MainActor final class HomeContent: DestinationContent {
  private let openNotifications: @MainActor () -> Void

  init(openNotifications: @escaping @MainActor () -> Void) {
    self.openNotifications = openNotifications
  }

  var elements: [Element] {
    [
      .button(AccessibilityID.Home.notificationButton, "Notifications", tap: openNotifications)
    ]
  }
}

/// The user's own page: whether the app may tell how it is used.
@MainActor final class MyPageContent: DestinationContent {
  private let analytics: AnalyticsClient

  init(analytics: AnalyticsClient) {
    self.analytics = analytics
  }

  var elements: [Element] {
    let state = analytics.isOptedOut ? "off" : "on"
    return [
      Element(.switch, AccessibilityID.MyPage.analyticsSwitch, label: "Analytics", value: state)
        .onTap { [analytics] in analytics.isOptedOut.toggle() }
    ]
  }
}

/// The inbox.
@MainActor final class NotificationListContent: DestinationContent {
  private typealias ID = AccessibilityID.NotificationList

  private let model: NotificationListViewModel

  init(model: NotificationListViewModel) {
    self.model = model
  }

  func viewDidLoad() { model.viewDidLoad() }
  func didReachEnd() { model.didReachEnd() }

  var elements: [Element] {
    let error = model.hasFailed ? [error] : []
    return error
      + model.rows.map { row in
        Element(.cell, ID.cell, label: row.title, children: row.isRead ? [] : [unreadBadge])
          .onTap { [model] in model.select(row.id) }
      }
  }

  private var unreadBadge: Element { .label(ID.unreadBadge, "New") }

  private var error: Element {
    .label(AccessibilityID.Common.errorView, "The notifications can't be loaded.")
  }
}

/// One notification.
@MainActor final class NotificationDetailContent: DestinationContent {
  private typealias ID = AccessibilityID.NotificationDetail

  private let model: NotificationDetailViewModel

  init(model: NotificationDetailViewModel) {
    self.model = model
  }

  func viewDidLoad() { model.viewDidLoad() }

  var elements: [Element] {
    switch model.state {
    case .loading: [.loading]
    case .failed: [.label(AccessibilityID.Common.errorView, "It can't be loaded.")]
    case .loaded(let detail): loaded(detail)
    }
  }

  private func loaded(_ detail: NotificationDetail) -> [Element] {
    var elements: [Element] = [
      .label(AccessibilityID.Common.titleLabel, detail.title),
      .label(ID.contentLabel, detail.content),
    ]
    if detail.link != nil {
      elements.append(.button(ID.goButton, "Go") { [model] in model.go() })
    }
    return elements
  }
}
