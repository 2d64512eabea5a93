import JSON
import RequestMatching
import Testing

@Suite("What no tracker should get")
struct LintTests {
  static let urls: [(String, [String])] = [
    ("https://t.example/c?ad=A-1&area=cart", []),
    (#"https://t.example/c?ad=Optional(%22A-1%22)"#, ["optional ad"]),
    ("https://t.example/c?ad=Optional(3)", ["optional ad"]),
    (#"https://t.example/c?ad=x-Optional(%22A%22)"#, ["optional ad"]),
    ("https://t.example/c?ad=id-Optional(3)-x", ["optional ad"]),
    ("https://t.example/c?title=Optional+extras", []),
    ("https://t.example/c?title=(Optional)+Optional(+extras", []),
    ("https://t.example/c?ad=nil", ["nil ad"]),
    ("https://t.example/c?title=nil+by+mouth&b=nilpotent", []),
    ("https://t.example/c?ad=(null)&b=%28null%29", ["null ad", "null b"]),
    ("https://t.example/c?ad=null", []),
    ("https://t.example/c?ad=undefined", ["undefined ad"]),
    ("https://t.example/c?p=NaN&q=nan", ["nan p", "nan q"]),
    ("https://t.example/c?name=nancy&n=banana", []),
    ("https://t.example/nil/click", ["nil path"]),
    ("https://nil.example/nile/nullable", []),
    ("https://t.example/c?cb=${CACHE}", ["macro cb"]),
    ("https://t.example/c?cb=%24%7BAUCTION_PRICE%7D", ["macro cb"]),
    ("https://t.example/c?cb=a${x}b", ["macro cb"]),
    ("https://t.example/c?cb=[CACHEBUSTING]", ["macro cb"]),
    ("https://t.example/c?cb=%5BTIMESTAMP%5D", ["macro cb"]),
    ("https://t.example/c?a[0]=1&a[B]=2&list=[1,2]&id=[A1]", []),
    ("https://t.example/c?t=%5BNEW%5D+shoes", []),
    ("https://t.example/c?u=https%3A%2F%2Fa%2F%3Fcb%3D%5BCACHEBUSTING%5D%26b%3D1", ["macro u"]),
    ("https://t.example/c?cb=%%CACHEBUSTER%%", ["macro cb"]),
    ("https://t.example/c?cb=%25%25CACHE%25%25", ["macro cb"]),
    ("https://t.example/c?cb={{campaign.id}}", ["macro cb"]),
    ("https://t.example/c?cb=%7B%7B%20x%20%7D%7D&j=%7B%22a%22:1%7D", ["macro cb"]),
    ("https://t.example/[PATH]/c", ["macro path"]),
    ("https://t.example/c?cb=[[CACHE]]&x=%5B%5Btime_1%5D%5D", ["macro cb", "macro x"]),
    ("https://t.example/c?cb=[X]&size=[S],[M]&matrix=[[1,2],[3]]&t=[[a+b]]", ["macro cb"]),
    (
      "https://t.example/c?[[CB]]=1&${X}=2&%7B%7Bx%7D%7D=3&[TIME]=4",
      [
        "macro [[CB]]", "macro ${X}", "macro {{x}}", "macro [TIME]",
      ]
    ),
    ("https://t.example/c?[X]=&%%KEY%%&b", ["macro [X]", "empty [X]", "macro %%KEY%%"]),
    ("https://t.example/c?ids[]=1&f[NAME]=2&f[A][0]=3&a[b][C]=4&nil=1&undefined=2", []),
    (
      "https://t.example/c?Optional(%22a%22)=1&(null)=2&a%2520b=3",
      [
        #"optional Optional("a")"#, "null (null)", "doubleEncoding a%20b",
      ]
    ),
    ("https://${HOST}/c", ["macro host"]), ("https://%7B%7Bhost%7D%7D/c", ["macro host"]),
    ("https://[HOST]/c", ["macro host"]), ("https://[fe80::1]/c", []),
    ("https://(null)/c", ["null host"]), ("https://nil:443/c", ["nil host"]),
    ("https://Optional(%22a%22)/c", ["optional host"]), ("https://undefined/c", ["undefined host"]),
    ("https://nil.example/c", []),
    ("https://t.example/c?q=a%2520b", ["doubleEncoding q"]),
    ("https://t.example/c?q=%25EA%25B0%2580", ["doubleEncoding q"]),
    ("https://t.example/c?u=https%253A%252F%252Fx", ["doubleEncoding u"]),
    ("https://t.example/c?u=https%3A%2F%2Fx%2F%3Fq%3Da%2520b", []),
    ("https://t.example/c?d=%2Fsearch%3Fq%3Da%2520b", []),
    ("https://t.example/c?sale=100%25&more=50%25+off&hex=1%25ad", []),
    ("https://t.example/a%2520b", ["doubleEncoding path"]),
    ("https://t.example/c?ad=&b=1", ["empty ad"]),
    ("https://t.example/c?a=1&b=", ["empty b"]),
    ("https://t.example/c?debug&b=1", []),
    ("https://t.example/c?a=#fragment", ["empty a"]),
    ("http://t.example/c", ["http scheme"]),
    ("HTTP://t.example/c", ["http scheme"]),
    ("http://localhost:8080/c?a=1", []),
    ("http://127.0.0.1/c", []),
    ("http://[::1]/c", []),
  ]

  @Test("is found in URLs, and nothing else is", arguments: urls)
  func url(url: String, hits: [String]) {
    #expect(Lint().hits(in: RequestURL(url)).map(Self.text) == hits)
    var bytes = url
    let isSuspicious = bytes.withUTF8 { Lint.isSuspicious($0) }
    #expect(isSuspicious || hits.isEmpty, "the quick look lets nothing through")
  }

  @Test("is found in events, by path")
  func event() {
    let event: JSONValue = [
      "name": "nil",
      "properties": ["ad": "Optional(\"A\")", "count": 0, "tags": ["", "a", "[NEW] b"]],
      "$os": "%%OS%%", "url": "https://x/?q=%20", "none": .null, "word": "undefined behaviour",
      "encoded": "a%20b", "counts": ["${X}": 1, "ids[A]": 2, "nil": 3, "[Y]": []],
    ]
    #expect(
      Lint().hits(inEvent: event).map(Self.text) == [
        "macro counts['${X}']", "macro counts['[Y]']", "nil name", "optional properties.ad",
        "empty properties.tags[0]", "macro ['$os']",
        "doubleEncoding encoded",
      ])
  }

  @Test("is not what a scenario itself typed")
  func typed() {
    let lint = Lint(typed: ["nil", "50%20"])
    #expect(lint.hits(in: RequestURL("https://t.example/s?q=nil&r=50%2520&p=undefined")).count == 1)
    #expect(lint.hits(inEvent: ["query": "nil"]).isEmpty)
  }

  private static func text(_ hit: LintHit) -> String {
    switch hit.part {
    case .queryParameter(let name): "\(hit.rule) \(name)"
    case .eventMember(let path): "\(hit.rule) \(path)"
    case let part: "\(hit.rule) \(part)"
    }
  }
}
