import Foundation

/// A link before it is read.
enum Link: Sendable, Equatable {
  case deep(String)
  case web(String)

  var text: String {
    switch self {
    case .deep(let text), .web(let text): text
    }
  }

  /// The link of a URL that another app opened: a page of the web, or a path behind the app's
  /// own scheme.
  init(url: URL) {
    let text = url.absoluteString
    let isWeb = ["http", "https"].contains(url.scheme?.lowercased())
    let path = text.range(of: "://").map { String(text[$0.upperBound...]) } ?? text
    self = isWeb ? .web(text) : .deep(path)
  }

  /// The links of a notification, in the order in which they are taken: the deep link, then the
  /// web link on top; without either the notification's own detail.
  static func links(of payload: PushPayload) -> [Link] {
    let links = [payload.deepLink.map(Link.deep), payload.webLink.map(Link.web)].compactMap { $0 }
    return links.isEmpty ? [.detail(id: payload.id)] : links
  }

  /// The detail of a notification.
  static func detail(id: String) -> Link {
    var components = URLComponents()
    components.queryItems = [URLQueryItem(name: "id", value: id)]
    return .deep("home/notification/detail?\(components.percentEncodedQuery ?? "")")
  }

  func resolved(at now: Date) throws(LinkError) -> LinkRoute {
    switch self {
    case .deep(let text): try LinkRoute(deepLink: text, now: now)
    case .web(let text): try LinkRoute(webLink: text, now: now)
    }
  }
}

/// A screen that a deep link can lead to, by its segment in the link.
enum LinkDestination: String {
  case home
  case notificationList = "notification"
  case notificationDetail = "detail"
  case soptamp
  case entireRanking = "entire-ranking"
  case currentGenerationRanking = "current-generation-ranking"
  case myPage = "mypage"
  case attendance
  case attendanceModal = "attendance-modal"
  case poke
  case pokeNotificationList = "notification-list"
  case fortune

  /// The screens that can follow this one in a link.
  var children: [LinkDestination] {
    switch self {
    case .home: [.notificationList, .soptamp, .myPage, .attendance, .poke]
    case .notificationList: [.notificationDetail]
    case .soptamp: [.entireRanking, .currentGenerationRanking]
    case .attendance: [.attendanceModal]
    case .poke: [.pokeNotificationList, .fortune]
    default: []
    }
  }

  /// Whether the screen can be shown with these parameters.
  func accepts(_ parameters: LinkParameters) -> Bool {
    switch self {
    case .notificationDetail: parameters["id"] != nil
    case .currentGenerationRanking:
      parameters["currentGeneration"] != nil
        && ["ACTIVE", "INACTIVE"].contains(parameters["status"])
    case .attendanceModal: parameters["subLectureId"] != nil && parameters["round"] != nil
    default: true
    }
  }
}

/// Why a link led nowhere.
enum LinkError: String, Error {
  case linkNotFound
  case expiredLink
  case invalidLink
  case invalidScheme

  /// The alert that tells the user; some errors have none.
  var alert: LinkAlert? {
    switch self {
    case .linkNotFound: .update
    case .expiredLink: .invalidLink
    case .invalidLink, .invalidScheme: nil
    }
  }
}

/// An alert about a link.
enum LinkAlert: String {
  /// The link needs a newer version of the app.
  case update = "updateAlert"
  /// The link is no longer valid.
  case invalidLink = "invalidLinkAlert"
}
