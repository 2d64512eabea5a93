import JSON

/// A CTRF report of a shard that is read again.
package struct CTRFFile: ShardReport {
  package static let kindName = "CTRF report"

  package let path: String
  package let told: JSONValue?
  private let tests: [JSONValue]

  package init(path: String, bytes: [UInt8]) throws(ReportFault) {
    self.path = path
    let root: JSONValue
    do {
      root = try JSONValue(parsing: bytes)
    } catch {
      throw ReportFault("\(path) isn't a CTRF report: \(error)")
    }
    guard root["reportFormat"]?.string == "CTRF", let tests = root["results"]?["tests"]?.array
    else {
      throw ReportFault("\(path) isn't a CTRF report: it has no \"results\" with \"tests\".")
    }
    self.tests = tests
    told = root["extra"]
  }

  package var resultCount: Int? { tests.count }

  /// By file, each with a name that no other has.
  package static func write(
    _ parts: [CTRFFile], as run: RunOutline, to sink: ReportSink
  ) throws {
    let plain = parts.flatMap { part in
      var names = ShardNames()
      return part.tests.map { test in
        let file = test["suite"]?[0]?.string ?? ""
        return (file: file, name: names.plain(test["name"]?.string ?? ""), test: test)
      }
    }
    let names = ResultNames()
    let tests = plain.grouped(by: \.file).sorted { $0.key < $1.key }.flatMap { file, tests in
      tests.map { _, name, test in
        let name = names.unique(name)
        var test = test.object ?? [:]
        (test["name"], test["testId"]) = (.string(name), .string("\(file)#\(name)"))
        return JSONValue.object(test).bytes(.report)
      }
    }
    try CTRFReport.write(run, suites: Set(plain.map(\.file)).count, tests, to: sink)
  }
}
