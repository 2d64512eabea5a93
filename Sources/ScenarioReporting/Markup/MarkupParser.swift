import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads XML without a document type: what this program writes as a report, and what others make
/// of it.
package struct MarkupParser {
  /// - Returns: the root; blank text between elements is left out.
  package static func parse(_ bytes: [UInt8]) throws(MarkupFault) -> MarkupElement {
    let data = Data(bytes)
    try refuseDocumentType(in: data)
    // WORKAROUND: on Linux `Data` of some MB is an error
    // (https://github.com/swiftlang/swift-corelibs-foundation/issues/4851); a stream is read in parts.
    let parser = XMLParser(stream: InputStream(data: data))
    parser.shouldResolveExternalEntities = false
    let builder = MarkupBuilder()
    parser.delegate = builder
    let isRead = parser.parse()
    if let fault = builder.fault { throw fault }
    guard isRead, let root = builder.root else {
      throw MarkupFault(line: 1, column: 1, reason: "There is no element.")
    }
    return root
  }

  /// Its entities would be lost: on Linux `XMLParser` tells neither of them nor of the type itself,
  /// and leaves out what they stand for. So it is looked for in all of the file, sections of CDATA
  /// included.
  private static func refuseDocumentType(in data: Data) throws(MarkupFault) {
    // A byte-order mark, or "<" with the zeros of UTF-16 or UTF-32, in which ASCII is the rest.
    let isWide = data.prefix(4).contains { $0 == 0 || $0 >= 0xFE }
    let narrow: Data = isWide ? data.filter { $0 != 0 } : data
    guard let found = narrow.range(of: Data("<!DOCTYPE".utf8)) else { return }
    let lines = narrow[..<found.lowerBound].split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    throw MarkupFault(
      line: lines.count, column: (lines.last?.count ?? 0) + 1,
      reason: "A document type is not read.")
  }
}
