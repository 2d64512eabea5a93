import AppHarness
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The harness of the documentation, which `DocumentationTests` compares with it; only the entry point
// is left out here, since a test bundle has its own.

final class ShopHarness: HarnessedApp {
  private let cart: CartViewModel

  init(_ launch: AppLaunch) {
    let session = URLSession(configuration: launch.sessionConfiguration())
    cart = CartViewModel(session: session, clock: launch.clock)
  }

  var screen: Element {
    // swift-format-ignore
    Element(.window, "CartViewController", children: [
      Element(.button, "cartButton", label: "Add to cart").onTap { self.cart.didTapAdd() },
      Element(.staticText, "countLabel", label: "\(cart.count)"),
    ])
  }
}

@MainActor final class CartViewModel {
  private(set) var count = 0

  init(session: URLSession, clock: any Clock<Duration>) {}

  func didTapAdd() { count += 1 }
}
