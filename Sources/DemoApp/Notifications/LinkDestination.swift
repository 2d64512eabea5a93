/// A screen that a deep link can lead to.
package enum LinkDestination: String, Sendable, CaseIterable {
  case home
  case notification
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
  package var children: [LinkDestination] {
    switch self {
    case .home: [.notification, .soptamp, .myPage, .attendance, .poke]
    case .notification: [.notificationDetail]
    case .soptamp: [.entireRanking, .currentGenerationRanking]
    case .attendance: [.attendanceModal]
    case .poke: [.pokeNotificationList, .fortune]
    default: []
    }
  }

  /// Whether the screen can be shown with these parameters.
  package func accepts(_ parameters: LinkParameters) -> Bool {
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
