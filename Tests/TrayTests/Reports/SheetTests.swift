import Foundation
import TestSupport
import Testing
import Tray
import TraySamples

@Suite struct `A sheet of a tray` {
    /// The result of Python's CSV reader for `text`, as JSON.
    private static func read(_ text: String, _ expression: String) throws -> String {
        let program =
            "import csv, io, json, sys; t = sys.stdin.buffer.read().decode('utf-8'); "
            + "r = list(csv.DictReader(io.StringIO(t, newline=''), strict=True)); print(json.dumps(\(expression)))"
        return String(
            decoding: try Tool.output(of: ["python3", "-c", program], input: Array(text.utf8)), as: UTF8.self)
    }

    @Test func `is unchanged`() throws {
        try Golden.expect(UnitSheet(SampleRecord.few).text, "few.csv")
        try Golden.expect(KKMSheet(SampleRecord.few).text, "few.kkm.csv")
    }

    @Test func `has a row for each unit and for each attempt, with as many cells as the header`() throws {
        let record = SampleRecord.run(units: 500)
        let text = UnitSheet(record).text
        let attempts = record.units.reduce(0) { $0 + $1.attempts.count }
        let found = try Self.read(
            text,
            "[sum(x['row'] == 'unit' for x in r), sum(x['row'] == 'attempt' for x in r), "
                + "sorted({len(x) for x in r}), any(None in x or None in x.values() for x in r)]")
        #expect(found == "[500, \(attempts), [\(UnitSheet.columns.count)], false]\n")
    }

    @Test func `has names in visible form, and none of them as a formula`() throws {
        let record = SampleRecord.run(units: 500)
        let names = try Self.read(UnitSheet(record).text, "sorted({x['name'] for x in r})")
        for name in ["'=cmd|' /C calc'!A0", "'@SUM(A1:A9)", #"a,b;\"c\"\\r\\nrow"#, #"\\u{202e}gpj.exe"#] {
            #expect(names.contains("\"\(name)\""), "\(name)")
        }
        let cells =
            "[v for x in r for v in x.values() if v[:1] in tuple('=+@\\t\\r') or (v[:1] == '-' and v[1:2].isalpha())]"
        #expect(try Self.read(UnitSheet(record).text, cells) == "[]\n")
    }

    @Test func `begins with its earlier columns, whatever has been added`() {
        #expect(UnitSheet.columns.prefix(3) == ["row", "run", "tray"])
        #expect(Set(UnitSheet.columns).count == UnitSheet.columns.count)
        #expect(RecordField.ofHistory.compactMap(\.history) == Array(1...RecordField.ofHistory.count))
        #expect(Set(RecordField.all.map(\.name)).count == RecordField.all.count)
        #expect(KKMSheet.columns == ["MAC", "Model", "CurrentVersion", "DFUVersion", "Status"])
    }

    @Test func `in KKM's columns has only done, failed and not needed`() throws {
        let found = try Self.read(
            KKMSheet(SampleRecord.few).text, "sorted([x['Status'] for x in r])")
        #expect(found == #"["", "", "", "", "", "", "1", "1", "2", "2", "3"]"# + "\n")
    }
}

@Suite struct `A percentage` {
    @Test(arguments: [
        (11.0 / 12, "91.6 %"), (1, "100.0 %"), (0.9996, "99.9 %"), (0.29, "29.0 %"), (2.0 / 3, "66.6 %"),
        (0, "0.0 %"), (-1, "0.0 %"), (.nan, "0.0 %"),
    ])
    func `is cut after one decimal, so that it shows 100 only when complete`(share: Double, text: String) {
        #expect(Percentage(share).description == text)
    }
}

/// The expected reports, byte for byte, in files in this folder, so that a format change is visible.
enum Golden {
    /// The creation time of the reports in the files.
    static let made = RecordedTime(milliseconds: 1_795_424_400_000)

    /// Compares `text` with the file `name`. If they differ, the new text is left in `.build/reports`, to be reviewed
    /// and to replace the file.
    static func expect(_ text: String, _ name: String, _ location: SourceLocation = #_sourceLocation) throws {
        let golden = try? Samples.file(at: "\(Samples.root)/Tests/TrayTests/Reports/Golden/\(name)")
        guard golden != Array(text.utf8) else { return }
        let folder = Samples.root + "/.build/reports"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = try Tool.write(Array(text.utf8), as: name, in: folder)
        Issue.record("it is not what \(name) has; see \(path)", sourceLocation: location)
    }
}
