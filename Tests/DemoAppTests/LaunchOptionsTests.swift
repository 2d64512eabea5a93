import Testing

@testable import DemoApp

@Suite("The command line says with which screen the app opens")
struct LaunchOptionsTests {
  @Test(
    "each screen has a name, some with a number",
    arguments: [
      ([], .search), (["-screen", "books"], .books), (["-screen", "items/42"], .item(42)),
      (["-screen", "bookmarks/7"], .bookmarks(userID: 7)),
    ] as [([String], StartScreen)])
  func screens(arguments: [String], screen: StartScreen) throws {
    #expect(try LaunchOptions(arguments).startScreen == screen)
  }

  @Test(
    "anything else is an error",
    arguments: [
      (["-screen"], .noScreen), (["-screen", "items"], .noScreen),
      (["-screen", "items/42/7"], .noScreen), (["-screen", "books/1"], .noScreen),
      (["-verbose"], .unknown("-verbose")),
    ] as [([String], LaunchOptionError)])
  func errors(arguments: [String], error: LaunchOptionError) {
    #expect(throws: error) { try LaunchOptions(arguments) }
  }
}
