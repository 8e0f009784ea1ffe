import Foundation
import TestSupport
import Testing
import TraySamples
import UpdateModel

@testable import Tray

@Suite struct `A tray's page` {
    static func page(_ record: TrayRecord) -> String {
        TrayPage(record, made: Golden.made, version: "0.1.0").text
    }

    /// The findings of Python's HTML parser: unbalanced elements, elements that are code or fetch, attributes that are
    /// code, scripts.
    private static func judge(_ page: String) throws -> String {
        let program = """
            import html.parser, sys
            class Judge(html.parser.HTMLParser):
                def __init__(self):
                    super().__init__()
                    self.open, self.found, self.scripts = [], [], 0
                def handle_starttag(self, tag, attributes):
                    self.scripts += tag == "script"
                    if tag in ("img", "iframe", "object", "embed", "link", "base", "form", "b0"): self.found.append(tag)
                    self.found += [n for n, v in attributes if n.startswith("on") or n in ("src", "style", "srcdoc")]
                    self.found += [v for n, v in attributes if n == "href" and not v.startswith("#u")]
                    self.open.append(tag)
                def handle_startendtag(self, tag, attributes):
                    self.handle_starttag(tag, attributes)
                    self.open.pop()
                def handle_endtag(self, tag):
                    if not self.open or self.open.pop() != tag: self.found.append("/" + tag)
            judge = Judge()
            judge.feed(sys.stdin.buffer.read().decode("utf-8"))
            judge.close()
            print(judge.found, judge.open, judge.scripts)
            """
        return String(
            decoding: try Tool.output(of: ["python3", "-c", program], input: Array(page.utf8)), as: UTF8.self)
    }

    @Test func `is unchanged`() throws { try Golden.expect(Self.page(SampleRecord.few), "few.html") }

    @Test(arguments: [48, 500])
    func `is well formed, and has names from the air as text`(units: Int) throws {
        let page = Self.page(SampleRecord.run(units: units))
        #expect(try Self.judge(page) == "[] [] 1\n")
        #expect(page.contains("&lt;/script&gt;&lt;script&gt;document.title=&#39;owned&#39;&lt;/script&gt;"))
        #expect(!page.unicodeScalars.contains { $0.properties.generalCategory == .format || $0 == "\u{1B}" })
    }

    @Test func `of an empty record is a page`() throws {
        #expect(try Self.judge(Self.page(TrayRecord(id: "none"))) == "[] [] 1\n")
        var odd = TrayRecord(id: "odd")
        odd.units = [UnitRecord(slot: "")]
        odd.units[0].attempts = [
            AttemptRecord(
                number: 1, session: 9, adapter: "", began: RecordedTime(milliseconds: -1), address: "")
        ]
        odd.units[0].attempts[0].seconds = .infinity
        odd.units[0].attempts[0].speeds = [1, -.infinity, .nan, 1e300].map {
            .init(at: $0, bytesPerSecond: $0)
        }
        odd.units[0].attempts[0].phases = [.init("?", at: .nan), .init("transferring", at: -5)]
        #expect(try Self.judge(Self.page(odd)) == "[] [] 1\n")
    }

    @Test func `has no highest speed below the average`() throws {
        var record = SampleRecord.few
        let unit = try #require(record.units.firstIndex { ($0.attempts.last?.speeds.count ?? 0) > 2 })
        record.units = [record.units[unit]]
        record.units[0].attempts = record.units[0].attempts.suffix(1)
        let fastest = try #require(record.units[0].attempts[0].speeds.map(\.bytesPerSecond).max())
        record.units[0].attempts[0].transfer = .init(
            bytes: 30_720, seconds: 1, average: fastest + 7000, retries: 0, limitedBy: nil)
        #expect(Self.page(record).contains("<small> peak \(Figures.speed(fastest + 7000))</small>"))
        #expect(!Self.page(record).contains("<small> peak \(Figures.speed(fastest))</small>"))
    }

    @Test func `signs off no unit with an image in test without saying so`() throws {
        var record = SampleRecord.few
        record.units = record.units.filter(\.status.isGood)
        let words = "The image of 1 unit is not confirmed"
        #expect(!Self.page(record).contains(words))
        let unit = try #require(record.units.firstIndex { !$0.attempts.isEmpty })
        let attempt = record.units[unit].attempts.count - 1
        record.units[unit].attempts[attempt].warnings.append(
            .init(FailureCode(named: "image-in-test"), "it runs and is not confirmed"))
        let page = Self.page(record)
        let signature = try #require(page.range(of: "id=\"signature\""))
        #expect(page[signature.upperBound...].contains(words))
        // A further attempt that only wrote settings changes nothing about the image.
        var further = record.units[unit].attempts[attempt]
        (further.warnings, further.verified, further.transfer) = ([], nil, nil)
        record.units[unit].attempts.append(further)
        #expect(Self.page(record).contains(words))
        further.verified = Verification.version.rawValue
        record.units[unit].attempts.append(further)
        #expect(!Self.page(record).contains(words))
    }

    @Test func `of 500 units is small`() {
        #expect(Self.page(SampleRecord.run(units: 500)).utf8.count < 2_000_000)
    }

    @Test func `begins with the outcome of the tray`() {
        let page = Self.page(SampleRecord.few)
        #expect(
            page.contains(
                "<b>3 of 12</b> on the right firmware · 2 failed · 1 unknown · 1 bench error · 2 open · 1 aborted · 1 skipped"
                    + " · 1 never found · first-pass yield 40.0\u{A0}% (2\u{A0}of\u{A0}5)"))
    }
}
