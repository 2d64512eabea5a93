/// A search for books: results, the next page on scroll, an empty and an error state.
@MainActor final class BookSearchViewModel {
  enum State: Equatable {
    /// Nothing was asked yet.
    case idle
    case loading
    case results
    case empty
    case failed(BookSearchError)
  }

  private(set) var state = State.idle
  private(set) var books: [Book] = []
  private let repository: any BookRepository
  private var query = ""
  private var nextPage = 1
  private var isEnd = true
  private var isLoadingPage = false
  /// Grows with each search: an answer to an earlier one is told by it, and dropped.
  private var generation = 0

  init(repository: any BookRepository) {
    self.repository = repository
  }

  /// Starts a new search; a blank query asks nothing.
  func search(_ text: String) {
    generation += 1
    books = []
    isEnd = true
    query = text
    guard !text.allSatisfy(\.isWhitespace) else {
      state = .idle
      return
    }
    state = .loading
    nextPage = 1
    loadPage()
  }

  /// Asks for the next page, unless it is on its way or there is none.
  func didReachEnd() {
    guard !isEnd, !isLoadingPage else { return }
    loadPage()
  }

  private func loadPage() {
    isLoadingPage = true
    let (query, page, generation) = (query, nextPage, generation)
    Task {
      let answer: Result<BookPage, BookSearchError>
      do throws(BookSearchError) {
        answer = .success(try await repository.search(query, page: page))
      } catch {
        answer = .failure(error)
      }
      guard generation == self.generation else { return }
      isLoadingPage = false
      switch answer {
      case .success(let page): show(page)
      case .failure(let error): show(error)
      }
    }
  }

  private func show(_ page: BookPage) {
    books += page.documents
    isEnd = page.meta.isEnd
    nextPage += 1
    state = books.isEmpty ? .empty : .results
  }

  private func show(_ error: BookSearchError) {
    isEnd = true
    state = .failed(error)
  }
}
