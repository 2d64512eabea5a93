/// A feed of poses with their images, page by page.
@MainActor final class PoseFeedViewModel {
  enum State: Equatable {
    case loading
    case shown
    case empty
    case failed
  }

  /// What a cell shows of its image.
  enum Image {
    /// Not asked for yet.
    case none
    case loading
    case shown(PoseImage)
    case placeholder
  }

  /// A cell, in the feed's order whatever order the images come in.
  struct Cell {
    var pose: Pose
    var image: Image
  }

  private(set) var state = State.loading
  private(set) var cells: [Cell] = []
  /// Called when cells have come or gone.
  var onChange: @MainActor () -> Void = {}
  private let feed: PoseFeed
  private let repository: any PoseRepository
  private let images: ImageLoader
  private var nextPage = 0
  private var isLoadingPage = false
  private var isLast = false
  /// Grows with each load from the start: what comes for an earlier one is told by it, and dropped.
  private var generation = 0

  init(_ feed: PoseFeed, repository: any PoseRepository, images: ImageLoader) {
    self.feed = feed
    self.repository = repository
    self.images = images
  }

  func viewDidLoad() { loadPage() }

  /// Loads the feed again from its start; images stay in the cache.
  func refresh() {
    generation += 1
    nextPage = 0
    cells = []
    state = .loading
    loadPage()
  }

  /// Asks for the next page, once, unless there is none.
  func didReachEnd() {
    guard !isLoadingPage, !isLast, state == .shown else { return }
    loadPage()
  }

  /// Shows a cell's image, which is downloaded unless it is in the cache or on its way.
  func willDisplayCell(at index: Int) {
    cells[index].image = .loading
    let (key, generation) = (cells[index].pose.imageKey, generation)
    Task {
      let image = await images.image(key).map(Image.shown) ?? .placeholder
      if generation == self.generation { cells[index].image = image }
    }
  }

  private func loadPage() {
    isLoadingPage = true
    let (page, generation) = (nextPage, generation)
    Task {
      let answer = try? await repository.poses(feed, page: page)
      guard generation == self.generation else { return }
      isLoadingPage = false
      show(answer)
    }
  }

  private func show(_ page: PosePage?) {
    guard let page else {
      if cells.isEmpty { state = .failed }
      return
    }
    cells += page.content.map { Cell(pose: $0.poseInfo, image: .none) }
    isLast = page.last
    // Of the bookmarks only the first are shown.
    if case .bookmarks = feed { isLast = true }
    nextPage += 1
    state = cells.isEmpty ? .empty : .shown
    onChange()
  }
}
