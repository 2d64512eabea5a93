/// Builds the screens and leads from one to the next.
@MainActor final class ScreenFactory {
  private let dependencies: Dependencies
  private let navigation: NavigationController
  private let cart: CartViewModel

  init(_ dependencies: Dependencies, navigation: NavigationController, cart: CartViewModel) {
    self.dependencies = dependencies
    self.navigation = navigation
    self.cart = cart
  }

  func start(with screen: StartScreen) {
    switch screen {
    case .search: navigation.setRoot(search())
    case .books:
      let model = BookSearchViewModel(repository: dependencies.books)
      navigation.setRoot(BookSearchViewController(model: model))
    case .poses: navigation.setRoot(poses(.all))
    case .bookmarks(let userID): navigation.setRoot(poses(.bookmarks(userID: userID)))
    case .item(let id): startWithItem(id)
    case .deal: navigation.setRoot(DealViewController())
    case .home: break
    }
  }

  private func search() -> any ViewController {
    let model = SearchResultViewModel(
      repository: dependencies.search, tracker: dependencies.tracker, cart: cart,
      clock: dependencies.clock)
    model.onOpen = { [navigation] item in
      navigation.push(ProductViewController(item: item) { navigation.pop() })
    }
    model.onAdTap = { [analytics = dependencies.analytics] item, position in
      analytics?.track(
        "Ad Clicked", ["adId": .text(item.id), "position": .number(position.item)])
    }
    return SearchResultViewController(model: model)
  }

  private func poses(_ feed: PoseFeed) -> any ViewController {
    let model = PoseFeedViewModel(
      feed, repository: dependencies.poses, images: dependencies.images)
    return PoseFeedViewController(model: model)
  }

  private func startWithItem(_ id: Int) {
    let list = ItemListViewController { [unowned self] id in navigation.push(item(id)) }
    navigation.setRoot(list)
    navigation.push(item(id))
  }

  /// The first screen of the stack hears of what was looked at.
  private func item(_ id: Int) -> any ViewController {
    let model = ItemDetailViewModel(id: id, repository: dependencies.items)
    model.onShown = { [navigation] item in
      (navigation.screens.first as? ItemListViewController)?.add(item)
    }
    return ItemDetailViewController(model: model) { [navigation] in navigation.pop() }
  }
}
