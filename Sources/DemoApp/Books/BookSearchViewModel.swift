/// A search for books: results, the next page on scroll, an empty and an error state.
@MainActor package final class BookSearchViewModel {
  package enum State: Equatable {
    /// Nothing was asked yet.
    case idle
    case loading
    case results
    case empty
    case failed(BookSearchError)
  }

  package private(set) var state = State.idle
  package private(set) var books: [Book] = []
  private let repository: any BookRepository
  private var query = ""
  private var nextPage = 1
  private var isEnd = true
  private var isLoadingPage = false
  /// Grows with each search: an answer to an earlier one is told by it, and dropped.
  private var generation = 0

  package init(repository: any BookRepository) {
    self.repository = repository
  }

  /// Starts a new search; a blank query asks nothing.
  package func search(_ text: String) {
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
  package func didReachEnd() {
    guard !isEnd, !isLoadingPage else { return }
    loadPage()
  }

  private func loadPage() {
    isLoadingPage = true
    let (query, page, generation) = (query, nextPage, generation)
    Task {
      let outcome = await Self.outcome(of: query, page: page, from: repository)
      guard generation == self.generation else { return }
      isLoadingPage = false
      show(outcome)
    }
  }

  private func show(_ outcome: Result<BookPage, BookSearchError>) {
    switch outcome {
    case .success(let page):
      books += page.documents
      isEnd = page.meta.isEnd
      nextPage += 1
      state = books.isEmpty ? .empty : .results
    case .failure(let error):
      isEnd = true
      state = .failed(error)
    }
  }

  private static func outcome(
    of query: String, page: Int, from repository: any BookRepository
  ) async -> Result<BookPage, BookSearchError> {
    do {
      return .success(try await repository.search(query, page: page))
    } catch {
      return .failure(error as? BookSearchError ?? .network)
    }
  }
}
