/// The accessibility identifiers, an enum for each view controller.
///
/// A view of a type of its own bears the type's name, a plain view the name of its property; what
/// several view controllers share is in `Common`.
enum AccessibilityID {
  enum Common: String {
    case backButton
    case cartToast
    case emptyView
    case errorView
    case loadingView
    case priceLabel
    case retryButton
    case titleLabel
  }

  enum SearchResult: String {
    case view = "SearchResultViewController"
    case searchField
    case searchButton
    case resultList
    case list = "ListModuleView"
    case carousel = "CarouselModuleView"
    case banner = "BannerModuleView"
    case cell = "MyItemCell"
    case adBadge
    case cartButton
  }

  enum Product: String {
    case view = "ProductViewController"
  }

  enum BookSearch: String {
    case view = "BookSearchViewController"
    case searchField
    case searchButton
    case cell = "BookCell"
    case authorsLabel
    case publishedLabel
  }

  enum PoseFeed: String {
    case view = "PoseFeedViewController"
    case cell = "PoseCell"
    case imageView
    case placeholderView
  }

  enum Deal: String {
    case view = "DealViewController"
    case countdownLabel
  }

  enum ItemList: String {
    case view = "ItemListViewController"
    case cell = "RecentItemCell"
  }

  enum ItemDetail: String {
    case view = "ItemDetailViewController"
    case descriptionsLabel
    case networkAlert
    case emptyBodyAlert
    case malformedAlert
  }

  enum Login: String {
    case view = "LoginViewController"
    case loginButton
  }

  enum Destination: String {
    case parametersLabel

    /// `NotificationListViewController` and the like.
    static func view(of destination: LinkDestination) -> String {
      let name = "\(destination)"
      return name.prefix(1).uppercased() + name.dropFirst() + "ViewController"
    }
  }

  enum Home: String {
    case notificationButton
  }

  enum MyPage: String {
    case analyticsSwitch
  }

  enum NotificationList: String {
    case cell = "NotificationCell"
    case unreadBadge
  }

  enum NotificationDetail: String {
    case contentLabel
    case goButton
  }

  enum Web: String {
    case view = "WebViewController"
    case urlLabel
    case browserButton
  }

  enum LinkAlerts: String {
    case updateAlert
    case invalidLinkAlert
    case okButton
    case updateButton
  }
}
