import Foundation
import TestSupport
import Testing
import Tray
import TraySamples

@Suite struct `A tray's XML` {
    @Test func `is unchanged`() throws { try Golden.expect(SampleRecord.few.junit, "few.xml") }

    @Test func `has the duration of the run, however the clock was set meanwhile`() {
        var record = TrayRecord(id: "run")
        var session = TrayRecord.Session(
            number: 1, began: RecordedTime(milliseconds: 9_000_000), version: "1")
        (session.ended, session.seconds) = (RecordedTime(milliseconds: 1_000_000), 12.5)
        record.sessions = [session]
        #expect(record.junit.contains("time=\"12.5"), "\(record.junit)")
    }

    @Test func `is well formed, and counts an error of the bench as no failure`() throws {
        let python =
            "import sys, xml.dom.minidom as d; x = d.parseString(sys.stdin.buffer.read()); "
            + "n = lambda t: len(x.getElementsByTagName(t)); "
            + "print(n('testcase'), n('failure'), n('error'), n('skipped'), n('property'))"
        let found = try Tool.output(
            of: ["python3", "-c", python], input: Array(SampleRecord.few.junit.utf8))
        #expect(String(decoding: found, as: UTF8.self) == "11 3 1 4 6\n")
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(
                atPath: Samples.root + "/.build/python-tools/bin/python3"),
            "junitparser is not installed: scripts/python-tools installs it where PyPI can be reached"))
    func `is read by other programs with the same counts`() throws {
        let program =
            "import sys; from junitparser import JUnitXml; x = JUnitXml.fromstring(sys.stdin.buffer.read()); "
            + "c = [c for s in x for c in s]; print(x.tests, x.failures, x.errors, len(c), len({c.name for c in c}), "
            + "sum(bool(c.result) for c in c))"
        let found = try Tool.output(
            of: [Samples.root + "/.build/python-tools/bin/python3", "-c", program],
            input: Array(SampleRecord.few.junit.utf8))
        #expect(String(decoding: found, as: UTF8.self) == "11 3 1 11 11 8\n")
    }
}
