import AppHarness

/// A screen of the app.
@MainActor protocol ViewController: AnyObject {
  /// What the screen shows.
  var view: Element { get }

  func viewDidLoad()
  func viewDidAppear()
  func viewDidDisappear()
}

extension ViewController {
  func viewDidLoad() {}
  func viewDidAppear() {}
  func viewDidDisappear() {}
}
