import Testing

@testable import ScenarioRunner

@Suite("What explains the end of an app") struct OutputCaptureTests {
  private func explanation(_ text: String) -> [String] {
    var capture = OutputCapture()
    capture.append(Array(text.utf8))
    return capture.explanation()
  }

  private static let crash = """
    loading

    *** Signal 11: Backtracing from 0x564e17693768... done ***

    *** Program crashed: Bad pointer dereference at 0x0000000000000008 ***

    Platform: x86_64 Linux (Debian GNU/Linux 12 (bookworm))

    Thread 0 "app" crashed:

      0      0x00007f7857f6df7f closure #1 in _assertionFailure(_:_:file:line:flags:) + 623 in libswiftCore.so
      1 [ra] 0x0000564e17693556 Cart.total() + 325 in app at /src/Cart.swift:4:89
      2 [ra] 0x0000564e176939aa main + 313 in app at /src/main.swift:7:1
    ...


    Registers:

    rax 0x0000000000000008  8

    Images (20 omitted):

    0x0000564e17692000–0x0000564e17694010 57acd1d53c1ac4113937e4e80ead374d9c157585 app /src/app

    Backtrace took 0.01s
    """

  @Test("is, of a crash, its cause and its frames, the app's own first, and no register")
  func crash() {
    #expect(
      explanation(Self.crash) == [
        "*** Program crashed: Bad pointer dereference at 0x0000000000000008 ***",
        #"Thread 0 "app" crashed:"#,
        "  1 [ra] 0x0000564e17693556 Cart.total() + 325 in app at /src/Cart.swift:4:89",
        "  2 [ra] 0x0000564e176939aa main + 313 in app at /src/main.swift:7:1",
        "...",
        "  0      0x00007f7857f6df7f closure #1 in _assertionFailure(_:_:file:line:flags:) + 623 in "
          + "libswiftCore.so",
      ])
  }

  @Test("is its last lines where it says nothing of a crash")
  func lines() {
    let text = (1...30).map { "line \($0)\n" }.joined()
    #expect(explanation(text) == (11...30).map { "line \($0)" })
  }
}
