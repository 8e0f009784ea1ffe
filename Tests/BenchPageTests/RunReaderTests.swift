import Bytes
import TestSupport
import Testing
import Tray
import UpdateModel

@testable import BenchPage

@Suite struct `The reader of a run` {
    private func read(_ lines: [String], from reader: RunReader = RunReader(id: "here", name: "here"))
        -> RunReader
    {
        var reader = reader
        for (index, line) in lines.enumerated() {
            reader.apply(line: line.utf8, at: RecordedTime(milliseconds: Int64(index) * 1000))
        }
        return reader
    }

    private let begun = [
        #"{"adapters":["hci0"],"event":"batch-started","expected":4,"journal":"j","run":"r1","schema":1,"session":1,"simulated":true,"tray":"t.yaml","units":4}"#,
        #"{"device":"F0:0D:BE:AC:01:00/random","event":"found","id":null,"model":"S9","name":"KB","rssi":-50,"schema":1,"slot":"A1","vendor":"kkm"}"#,
        #"{"adapter":"hci0","attempt":1,"device":"F0:0D:BE:AC:01:00/random","event":"attempt","schema":1,"slot":"A1"}"#,
        #"{"adapter":"hci0","attempt":1,"bytes":1000,"device":"F0:0D:BE:AC:01:00/random","event":"started","file":"/x/fw.zip","kind":"nordic-secure","schema":1,"sha256":"00","slot":"A1","version_from":"1","version_to":"2"}"#,
        #"{"event":"phase","name":"transferring","schema":1,"slot":"A1"}"#,
        #"{"bytes_per_second":500.0,"event":"progress","percent":25,"schema":1,"sent":250,"slot":"A1","total":1000}"#,
    ]
    private let passed = [
        #"{"attempt":1,"average_bytes_per_second":500,"code":null,"event":"attempted","limited_by":"air","outcome":"passed","retries":0,"schema":1,"seconds":10,"slot":"A1","transfer_seconds":2,"verified":"version"}"#,
        #"{"attempts":1,"code":null,"device":"F0:0D:BE:AC:01:00/random","event":"finished","outcome":"passed","schema":1,"slot":"A1","verified":"version","version":"2","version_from":"1"}"#,
    ]

    @Test func `follows a unit at work`() throws {
        let bench = read(begun).bench
        let unit = try #require(bench.units.first)
        #expect(unit.status == .running && unit.phase == "transferring" && unit.share == 0.25)
        #expect(unit.bytesPerSecond == 500 && unit.secondsLeft == 1.5 && unit.shortAddress == "01:00")
        #expect(
            bench.run?.firmware == "fw.zip · 2" && bench.run?.isSimulated == true && bench.run?.expected == 4)
        #expect(bench.adapters.map(\.name) == ["hci0"] && !bench.isPast)
    }

    @Test func `counts the passed units and estimates when the others will finish`() throws {
        let bench = read(begun + passed).bench
        #expect(bench.units.map(\.status) == [.passed] && bench.units[0].version == "2")
        #expect(UnitCounts(bench.units).firstPassYield.share == 1)
        #expect(bench.ends == nil)
    }

    @Test func `counts the units of a record, and those of lines, as reports count the record`() {
        var record = TrayRecord(id: "r1")
        record.sessions = [TrayRecord.Session(number: 1, began: .now, version: "1")]
        for outcome in [.passed] + UnitOutcome.allCases.map(Optional.some) + [nil] {
            var unit = UnitRecord(slot: "A\(record.units.count + 1)")
            unit.verdict = outcome.map { UnitVerdict($0) }
            record.units.append(unit)
        }
        var reader = RunReader(id: "here", name: "here")
        reader.apply(record)
        #expect(UnitCounts(reader.bench.units) == record.counts && record.counts.open == 1)
        let ends = record.units.enumerated().compactMap { index, unit in
            RunEvent(.ended(UnitNumber(index), unit), slot: { record.units[$0.value].slot }, adapters: [])
        }.dropLast().map(\.text)
        let waiting = #"{"event":"found","schema":1,"slot":"A9"}"#
        #expect(UnitCounts(read([begun[0]] + ends + [waiting]).bench.units) == record.counts)
    }

    @Test func `takes speed and time left from the run, which computes them for the terminal too`() throws {
        let pace = #"{"bytes_per_second":48200,"event":"pace","schema":1,"seconds_left":30.5}"#
        let reader = read(begun + passed + [pace])
        let told = reader.bench
        #expect(told.bytesPerSecond == 48_200)
        let ends = try #require(told.ends)
        let none = read(
            [#"{"bytes_per_second":0,"event":"pace","schema":1,"seconds_left":null}"#], from: reader)
        #expect(none.bench.ends == nil && none.bench.bytesPerSecond == 0)
        let held = read([#"{"code":"x","event":"held","message":"","schema":1}"#], from: reader)
        #expect(held.bench.ends == nil && ends.milliseconds > 30_000)
    }

    @Test func `reports why a unit failed, and what to do`() throws {
        let failed = [
            #"{"attempt":1,"code":"image-refused","event":"attempted","outcome":"failed","schema":1,"seconds":3,"slot":"A1"}"#,
            #"{"attempts":1,"code":"image-refused","device_state":{"application":"intact","message":"bootloader","program":"bootloader"},"event":"failed","message":"it refused","next_step":"look","outcome":"failed","schema":1,"slot":"A1"}"#,
        ]
        let unit = try #require(read(begun + failed).bench.units.first)
        #expect(unit.status == .failed && unit.code == "image-refused" && unit.cause == "it refused")
        #expect(unit.nextStep == "look" && unit.stateText == "bootloader" && unit.passedFirst == false)
    }

    @Test func `counts no first pass after a failed attempt, but ignores errors of the bench`() {
        let attempt = { (outcome: String) in
            #"{"attempt":1,"event":"attempted","outcome":"\#(outcome)","schema":1,"seconds":3,"slot":"A1"}"#
        }
        #expect(read(begun + [attempt("failed")] + passed).bench.units[0].passedFirst == false)
        #expect(read(begun + [attempt("error")] + passed).bench.units[0].passedFirst == true)
    }

    @Test func `counts no first pass of a unit whose image was sent twice`() {
        let again = passed.map {
            $0.replacing(#""event":"attempted""#, with: #""event":"attempted","times_sent":2"#)
        }
        let unit = read(begun + again).bench.units[0]
        #expect(again != passed && unit.status == .passed && unit.passedFirst == false)
    }

    @Test func `notes a stall and its end`() {
        let stalled = read(begun + [#"{"event":"stalled","schema":1,"slot":"A1"}"#])
        #expect(stalled.bench.units[0].status == .stalled)
        let again =
            #"{"bytes_per_second":5,"event":"progress","schema":1,"sent":260,"slot":"A1","total":1000}"#
        #expect(read([begun[5]], from: stalled).bench.units[0].status == .stalled)
        #expect(read([again], from: stalled).bench.units[0].status == .running)
    }

    @Test func `shows a hold and its release`() {
        let held = read(begun + [#"{"code":"failures-in-a-row","event":"held","message":"3","schema":1}"#])
        #expect(held.bench.hold?.code == "failures-in-a-row" && held.bench.ends == nil)
        #expect(
            read([#"{"code":"x","event":"released","message":"","schema":1}"#], from: held).bench.hold == nil)
    }

    @Test(arguments: [
        ("golden-failed", false), ("consecutive-failures", false), ("failure-share", false),
        ("same-cause", false),
        ("paused", false), ("order-held", true), ("firmware-recalled", true), ("lease-short", true),
    ])
    func `distinguishes a hold of the bench from one of the work server`(
        _ code: String, _ isFromOutside: Bool
    ) {
        let held = #"{"code":"\#(code)","event":"held","message":"","schema":1}"#
        #expect(read(begun + [held]).bench.hold?.isFromOutside == isFromOutside)
    }

    @Test func `reports that a run is being stopped`() {
        let stopping =
            #"{"code":"stopping","event":"warning","message":"no further unit is begun","schema":1}"#
        #expect(read(begun + [stopping]).bench.isEnding)
    }

    @Test func `takes the values of the record where lines were dropped`() {
        var record = TrayRecord(id: "r1")
        record.units = [UnitRecord(slot: "A1")]
        record.units[0].verdict = UnitVerdict(.failed, code: "battery-low")
        record.sessions = [TrayRecord.Session(number: 1, began: .now, version: "1")]
        record.holds = [TrayRecord.Hold(began: .now, code: "paused", message: "m")]
        var reader = read(begun + ["12 lines of diagnostics were left out here: no program read them"])
        reader.apply(record)
        #expect(reader.bench.units[0].status == .failed && reader.bench.hold?.code == "paused")
        #expect(reader.bench.run?.isSimulated == true)
    }

    @Test func `distinguishes an ended run from one under way, and an end from a silence`() {
        let end = #"{"event":"batch-finished","exit":0,"limited_by":"air","run":"r1","schema":1,"units":1}"#
        var ended = read(begun + passed + [end])
        #expect(ended.bench.isPast && ended.bench.run?.limitedBy == "air")
        ended.fallSilent("gone", at: .now)
        #expect(ended.bench.silence == nil)
        var cut = read(begun)
        cut.fallSilent("gone", at: .now)
        #expect(cut.bench.silence?.reason == "gone" && !cut.bench.isPast)
    }

    @Test func `starts over with another run, and continues with the same one`() {
        let other = begun[0].replacing("\"r1\"", with: "\"r2\"")
        #expect(read(begun + [other]).bench.units.isEmpty)
        #expect(read(begun + [begun[0]]).bench.units.count == 1)
    }

    @Test(arguments: [
        "", "x", "[]", "{}", "null", #"{"event":1,"schema":1}"#, #"{"event":"found","schema":2,"slot":"A1"}"#,
        String(repeating: "[", count: 4000), #"{"event":"found","schema":1,"slot":"A1""#, "\u{0}",
    ])
    func `skips lines that it does not understand`(_ line: String) {
        let reader = read([line])
        #expect(reader.skippedLines == 1 && reader.bench.units.isEmpty)
    }

    @Test(arguments: [
        #"{"event":"progress","schema":1,"sent":1e308,"slot":"A1","total":1e-308,"bytes_per_second":1e-308}"#,
        #"{"event":"progress","schema":1,"sent":-5,"slot":"A1","total":9223372036854775807}"#,
        #"{"event":"attempted","schema":1,"slot":"A1","seconds":1e300,"outcome":"passed"}"#,
        #"{"event":"attempt","schema":1,"slot":"A1","attempt":-9223372036854775808}"#,
        #"{"event":"links","schema":1,"adapter":"hci0","links":-1,"limit":9223372036854775807}"#,
        #"{"event":"attempt","schema":1,"slot":"A1","attempt":9223372036854775807}"# + "\n"
            + #"{"event":"attempt","schema":1,"slot":"A1"}"#,
        #"{"event":"batch-started","schema":1,"run":"r1","expected":-9223372036854775808,"units":2}"#,
    ])
    func `accepts meaningless numbers`(_ line: String) {
        let reader = read(begun + line.split(separator: "\n").map(String.init) + passed)
        #expect(!BenchState(benches: [reader.bench]).json.line.isEmpty)
    }

    @Test func `takes the tray from the record, and events from the lines`() {
        var record = TrayRecord(id: "r1")
        record.orderNumber = "WO-1"
        record.units = ["A1", "A2"].map { UnitRecord(slot: $0) }
        record.units[1].isGolden = true
        record.sessions = [TrayRecord.Session(number: 1, began: .now, version: "1")]
        var reader = read(begun)
        reader.apply(record)
        #expect(reader.bench.units.map(\.slot) == ["A1", "A2"])
        #expect(reader.bench.units[0].share == 0.25 && reader.bench.units[1].isGolden)
    }

    @Test func `takes the newer of two records when there are no lines`() {
        var record = TrayRecord(id: "r1")
        record.units = [UnitRecord(slot: "A1")]
        record.units[0].verdict = UnitVerdict(.failed, code: "battery-low")
        var reader = RunReader(id: "here", name: "here")
        reader.apply(record)
        #expect(reader.bench.units[0].status == .failed)
        record.units[0].verdict = UnitVerdict(.passed)
        reader.apply(record)
        #expect(reader.bench.units[0].status == .passed && reader.bench.units[0].code == nil)
    }

    @Test func `leaves the lines of a run for the record of the next`() {
        var reader = read(begun)
        var record = TrayRecord(id: "r2")
        record.units = [UnitRecord(slot: "A1")]
        reader.apply(record)
        #expect(reader.bench.run?.id == "r2" && reader.bench.units[0].status == .waiting)
    }

    @Test func `keeps to the lines of a run when the record is of an earlier one`() {
        var older = TrayRecord(id: "r0")
        older.units = [UnitRecord(slot: "B7")]
        older.sessions = [
            TrayRecord.Session(number: 1, began: RecordedTime(milliseconds: -1_000), version: "1")
        ]
        var reader = read(begun)
        reader.apply(older)
        #expect(reader.bench.run?.id == "r1" && reader.bench.units.map(\.slot) == ["A1"])
        var record = TrayRecord(id: "r1")
        record.units = [UnitRecord(slot: "A1")]
        reader.apply(record)
        #expect(reader.bench.units[0].share == 0.25)
    }

    @Test func `limits the number of units`() {
        let lines = (0..<2100).map { #"{"event":"found","schema":1,"slot":"\#($0)"}"# }
        #expect(read(lines).bench.units.count == 2000)
    }

    @Test func `shows the slots that are scanned before the run, until it begins`() {
        var reader = RunReader(id: "b", name: "b")
        let line =
            #"{"asks":true,"event":"slots","next":"A2","prompt":"Scan","said":["x"],"schema":1,"slots":[{"beacon":"F0, Tag","is_skipped":false,"slot":"A1"},{"is_skipped":false,"slot":"A2"},{"is_skipped":true,"slot":"A3"}]}"#
        reader.apply(line: line.utf8, at: .now)
        #expect(reader.bench.scan?.next == "A2" && reader.bench.scan?.asks == true)
        #expect(reader.bench.units.map(\.status) == [.waiting, .waiting, .skipped])
        #expect(reader.bench.units[0].name == "F0, Tag")
        for flaw in [#"{"event":"slots","schema":1}"#, #"{"event":"slots","schema":1,"slots":7}"#] {
            reader.apply(line: flaw.utf8, at: .now)
            #expect(reader.bench.scan?.next == "A2")
        }
        reader.apply(
            line: #"{"event":"batch-started","schema":1,"run":"r","units":2,"session":1}"#.utf8, at: .now)
        #expect(reader.bench.scan == nil && reader.bench.units.isEmpty)
    }
}

@Suite struct `The course of a speed` {
    private let began = RecordedTime(milliseconds: 1_795_548_000_000)

    private func after(_ seconds: Double) -> RecordedTime {
        RecordedTime(milliseconds: began.milliseconds + Int64(seconds * 1000))
    }

    @Test func `has what was reported, for the time since the report before`() {
        var course = SpeedTimeline()
        for (at, speed) in [(0.0, 0.0), (1, 1000), (2.5, 2000), (10, 500), (11, 0)] {
            course.note(speed, at: after(at))
        }
        #expect(course.step == 1)
        #expect(course.speeds == [1000, 2000, 1000, 0, 0, 0, 0, 500, 500, 500, 0])
    }

    @Test(arguments: [100.0, 1000, 100_000]) func `has a bounded number of intervals and loses no bytes`(
        _ seconds: Double
    ) {
        var course = SpeedTimeline()
        for at in stride(from: 0, through: seconds, by: 1) { course.note(1000, at: after(at)) }
        #expect(
            course.speeds.count <= SpeedTimeline.most && course.speeds.count >= SpeedTimeline.most / 4 - 1)
        #expect(course.speeds.allSatisfy { abs($0 - 1000) < 1 })
        course.note(.infinity, at: after(-5))
        course.note(-7, at: after(seconds))
        #expect(course.speeds.allSatisfy { $0.isFinite && $0 >= 0 })
    }
}
