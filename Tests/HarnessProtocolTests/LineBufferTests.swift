import HarnessProtocol
import Testing

@Suite("A stream is cut into lines")
struct LineBufferTests {
  @Test("wherever its pieces end", arguments: 1...9)
  func pieces(size: Int) {
    let stream = Array("one\n\ntwo\nthree".utf8)
    var buffer = LineBuffer()
    var lines: [String] = []
    for start in stride(from: 0, to: stream.count, by: size) {
      let piece = stream[start..<min(start + size, stream.count)]
      lines += buffer.append(piece).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(lines == ["one", "", "two"])
    #expect(String(decoding: buffer.remainder, as: UTF8.self) == "three")
  }
}
