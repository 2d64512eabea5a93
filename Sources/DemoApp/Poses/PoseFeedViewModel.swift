import Foundation

/// A feed of poses with their images, page by page.
@MainActor public final class PoseFeedViewModel {
  public enum State: Equatable {
    case loading
    case shown
    case empty
    case failed
  }

  /// What a cell shows of its image.
  public enum Image: Equatable {
    /// Not asked for yet.
    case none
    case loading
    case shown(Data)
    case placeholder

    var isWanting: Bool { self == .none || self == .placeholder }
  }

  /// A cell, in the feed's order whatever order the images come in.
  public struct Cell: Equatable {
    public var pose: Pose
    public var image: Image
  }

  public private(set) var state = State.loading
  public private(set) var cells: [Cell] = []
  private let repository: any PoseRepository
  private let images: ImageLoader
  private var nextPage = 0
  private var isLoadingPage = false
  private var isLast = false
  private let isPaged: Bool

  /// - Parameter isPaged: whether pages follow the first.
  public init(repository: any PoseRepository, images: ImageLoader, isPaged: Bool = true) {
    self.repository = repository
    self.images = images
    self.isPaged = isPaged
  }

  public func viewDidLoad() { loadPage() }

  /// Asks for the next page, once, unless there is none.
  public func didReachEnd() {
    guard !isLoadingPage, !isLast, state == .shown else { return }
    loadPage()
  }

  /// Loads a cell's image, unless it is there or on its way; a failed one is tried again.
  public func willDisplayCell(at index: Int) {
    guard cells.indices.contains(index), cells[index].image.isWanting else { return }
    cells[index].image = .loading
    let key = cells[index].pose.imageKey
    Task {
      cells[index].image = await images.image(key).map(Image.shown) ?? .placeholder
    }
  }

  private func loadPage() {
    isLoadingPage = true
    Task {
      show(await page(nextPage))
      isLoadingPage = false
    }
  }

  private func page(_ number: Int) async -> PosePage? {
    try? await repository.poses(page: number)
  }

  private func show(_ page: PosePage?) {
    guard let page else {
      if cells.isEmpty { state = .failed }
      return
    }
    cells += page.content.map { Cell(pose: $0.poseInfo, image: .none) }
    isLast = page.last || !isPaged
    nextPage += 1
    state = cells.isEmpty ? .empty : .shown
  }
}
