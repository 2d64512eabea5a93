import AppHarness
import Foundation

/// A page of the web inside the app.
@MainActor final class WebViewController: ViewController {
  private typealias ID = AccessibilityID.Web

  private let url: URL
  private let goBack: @MainActor () -> Void

  init(url: URL, goBack: @escaping @MainActor () -> Void) {
    self.url = url
    self.goBack = goBack
  }

  var view: Element {
    Element(
      .other, ID.view,
      children: [
        .button(AccessibilityID.Common.backButton, "Back", tap: goBack),
        .label(ID.urlLabel, url.absoluteString),
      ])
  }
}
