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
}
