/// The toast that says what the user put into the cart.
@MainActor final class CartViewModel {
  static let toastDelay = Duration.seconds(1)
  static let toastTime = Duration.seconds(2)

  /// The text of the toast while it is shown.
  private(set) var toast: String?
  private let clock: any Clock<Duration>
  private var toastTask: Task<Void, Never>?
  private var untold = 0

  init(clock: any Clock<Duration>) {
    self.clock = clock
  }

  /// One toast follows when nothing has been added for a second.
  func add() {
    untold += 1
    toastTask?.cancel()
    toastTask = Task { await showToast() }
  }

  private func showToast() async {
    guard await pause(Self.toastDelay) else { return }
    toast = untold == 1 ? "Added to your cart" : "\(untold) items added to your cart"
    untold = 0
    guard await pause(Self.toastTime) else { return }
    toast = nil
  }

  /// - Returns: whether the task still counts.
  private func pause(_ duration: Duration) async -> Bool {
    try? await clock.sleep(for: duration)
    return !Task.isCancelled
  }
}
