import Bytes
import Foundation
import TestSupport
import Testing
import Tray
import TraySamples

@testable import CommandKit
@testable import TrayCommands

@Suite struct `A report of a tray` {
    private static let made = RecordedTime(milliseconds: 1_795_424_400_000)

    @Test func `as JSON is one line and one document, with everything in the record`() throws {
        let text = SampleRecord.few.line(made: Self.made, version: "0.1.0").text
        let golden = try? Samples.file(at: Samples.root + "/Tests/TrayTests/Reports/Golden/few.json")
        if golden != Array((text + "\n").utf8) {
            let folder = Samples.root + "/.build/reports"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            Issue.record("see \(try Tool.write(Array((text + "\n").utf8), as: "few.json", in: folder))")
        }
        let report = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let units = try #require(report["units"] as? [[String: Any]])
        #expect(report["event"] as? String == "tray-report")
        #expect(units.map { $0["name"] as? String } == SampleRecord.few.units.map(\.name))
        #expect((report["counts"] as? [String: Int])?.values.reduce(0, +) == 9)
        #expect(report["open"] as? Int == 2)
    }

    @Test func `has the format of its file's extension`() {
        let formats = ["a.html", "A.HTM", "a.csv", "a.kkm.csv", "a.json", "a.xml"].map(
            TrayReportFormat.init(path:))
        #expect(formats == [.html, .html, .csv, .kkm, .json, .junit])
        #expect(TrayReportFormat(path: "report") == nil)
    }

    @Test(arguments: TrayReportFormat.allCases)
    func `is recognised when it is to be overwritten`(_ format: TrayReportFormat) {
        for record in [SampleRecord.few, TrayRecord(id: "x")] {
            let text = format.text(of: record, made: Self.made, version: "0.1.0")
            #expect(format.kind.form.fits(Array(text.utf8.prefix(200))))
            for other in TrayReportFormat.allCases where other != format {
                #expect(!other.kind.form.fits(Array(text.utf8.prefix(200))))
            }
        }
    }
}
