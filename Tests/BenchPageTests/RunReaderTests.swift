import Testing
import Tray

@testable import BenchPage
@testable import BenchSources

@Suite struct `The reader of a run` {
    private func read(_ lines: [String], from reader: RunReader = RunReader(id: "here", name: "here"))
        -> RunReader
    {
        var reader = reader
        for (index, line) in lines.enumerated() {
            reader.take(line: line.utf8, at: RecordedTime(milliseconds: Int64(index) * 1000))
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
        #expect(unit.standing == .running && unit.phase == "transferring" && unit.share == 0.25)
        #expect(unit.bytesPerSecond == 500 && unit.secondsLeft == 1.5 && unit.lastFour == "01:00")
        #expect(
            bench.run?.firmware == "fw.zip · 2" && bench.run?.isSimulated == true && bench.run?.expected == 4)
        #expect(bench.adapters.map(\.name) == ["hci0"] && !bench.isPast)
    }

    @Test func `knows who has passed, and reckons when the others will`() throws {
        let bench = read(begun + passed).bench
        #expect(bench.units.map(\.standing) == [.passed] && bench.units[0].version == "2")
        #expect(BenchFigures(bench.units).firstPassYield == 1)
        // Three are still to come, each of ten seconds, one at a time.
        #expect(bench.ends == RecordedTime(milliseconds: 37_000))
    }

    @Test func `says why a unit failed, and what to do`() throws {
        let failed = [
            #"{"attempt":1,"code":"image-refused","event":"attempted","outcome":"failed","schema":1,"seconds":3,"slot":"A1"}"#,
            #"{"attempts":1,"code":"image-refused","device_state":{"application":"intact","message":"bootloader","program":"bootloader"},"event":"failed","message":"it refused","next_step":"look","outcome":"failed","schema":1,"slot":"A1"}"#,
        ]
        let unit = try #require(read(begun + failed).bench.units.first)
        #expect(unit.standing == .failed && unit.code == "image-refused" && unit.cause == "it refused")
        #expect(unit.nextStep == "look" && unit.stateWords == "bootloader" && unit.passedFirst == false)
    }

    @Test func `counts a pass at the second try as no first pass, and a bench's error as nothing`() {
        let attempt = { (outcome: String) in
            #"{"attempt":1,"event":"attempted","outcome":"\#(outcome)","schema":1,"seconds":3,"slot":"A1"}"#
        }
        #expect(read(begun + [attempt("failed")] + passed).bench.units[0].passedFirst == false)
        #expect(read(begun + [attempt("error")] + passed).bench.units[0].passedFirst == true)
    }

    @Test func `estimates no longer than a unit takes where the clock was set back`() throws {
        var pace = RunPace()
        let began = RecordedTime(milliseconds: 1_000_000_000)
        pace.begin("A1", at: began)
        pace.end("A1", seconds: 30, passed: true)
        pace.begin("A2", at: began)
        let back = RecordedTime(milliseconds: began.milliseconds - 7_200_000)
        #expect(try #require(pace.ends(waiting: 0, at: back)).seconds(since: back) == 30)
    }

    @Test func `notes a stall and its end`() {
        let stalled = read(begun + [#"{"event":"stalled","schema":1,"slot":"A1"}"#])
        #expect(stalled.bench.units[0].standing == .stalled)
        let again =
            #"{"bytes_per_second":5,"event":"progress","schema":1,"sent":260,"slot":"A1","total":1000}"#
        #expect(read([begun[5]], from: stalled).bench.units[0].standing == .stalled)
        #expect(read([again], from: stalled).bench.units[0].standing == .running)
    }

    @Test func `holds, and lets go`() {
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
    func `tells a hold of the bench from one of the engine`(_ code: String, _ isFromOutside: Bool) {
        let held = #"{"code":"\#(code)","event":"held","message":"","schema":1}"#
        #expect(read(begun + [held]).bench.hold?.isFromOutside == isFromOutside)
    }

    @Test func `says that a run is being ended`() {
        let stopping =
            #"{"code":"stopping","event":"warning","message":"no further unit is begun","schema":1}"#
        #expect(read(begun + [stopping]).bench.isEnding)
    }

    @Test func `takes the record's word where lines were left out`() {
        var record = TrayRecord(id: "r1")
        record.units = [UnitRecord(slot: "A1")]
        record.units[0].verdict = Verdict(.failed, code: "battery-low")
        record.sessions = [TrayRecord.Session(number: 1, began: .now, version: "1")]
        record.holds = [TrayRecord.Hold(began: .now, code: "paused", message: "m")]
        var reader = read(begun + ["12 lines of diagnostics were left out here: nobody read them"])
        reader.take(record)
        #expect(reader.bench.units[0].standing == .failed && reader.bench.hold?.code == "paused")
        #expect(reader.bench.run?.isSimulated == true)
    }

    @Test func `tells a run that has ended from one under way, and an end from a silence`() {
        let end = #"{"event":"batch-finished","exit":0,"limited_by":"air","run":"r1","schema":1,"units":1}"#
        var ended = read(begun + passed + [end])
        #expect(ended.bench.isPast && ended.bench.run?.limitedBy == "air")
        ended.fallSilent("gone", at: .now)
        #expect(ended.bench.silence == nil)
        var cut = read(begun)
        cut.fallSilent("gone", at: .now)
        #expect(cut.bench.silence?.reason == "gone" && !cut.bench.isPast)
    }

    @Test func `begins anew with another run, and goes on with the same`() {
        let other = begun[0].replacing("\"r1\"", with: "\"r2\"")
        #expect(read(begun + [other]).bench.units.isEmpty)
        #expect(read(begun + [begun[0]]).bench.units.count == 1)
    }

    @Test(arguments: [
        "", "x", "[]", "{}", "null", #"{"event":1,"schema":1}"#, #"{"event":"found","schema":2,"slot":"A1"}"#,
        String(repeating: "[", count: 4000), #"{"event":"found","schema":1,"slot":"A1""#, "\u{0}",
    ])
    func `passes over what it does not understand`(_ line: String) {
        let reader = read([line])
        #expect(reader.passedOver == 1 && reader.bench.units.isEmpty)
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
    func `survives numbers that mean nothing`(_ line: String) {
        let reader = read(begun + line.split(separator: "\n").map(String.init) + passed)
        #expect(!BenchState(benches: [reader.bench]).json.line.isEmpty)
    }

    @Test func `knows the tray by the record, and what happens by the lines`() {
        var record = TrayRecord(id: "r1")
        record.orderNumber = "WO-1"
        record.units = ["A1", "A2"].map { UnitRecord(slot: $0) }
        record.units[1].isGolden = true
        record.sessions = [TrayRecord.Session(number: 1, began: .now, version: "1")]
        var reader = read(begun)
        reader.take(record)
        #expect(reader.bench.units.map(\.slot) == ["A1", "A2"])
        #expect(reader.bench.units[0].share == 0.25 && reader.bench.units[1].isGolden)
    }

    @Test func `takes the newer of two records, where there are no lines`() {
        var record = TrayRecord(id: "r1")
        record.units = [UnitRecord(slot: "A1")]
        record.units[0].verdict = Verdict(.failed, code: "battery-low")
        var reader = RunReader(id: "here", name: "here")
        reader.take(record)
        #expect(reader.bench.units[0].standing == .failed)
        record.units[0].verdict = Verdict(.passed)
        reader.take(record)
        #expect(reader.bench.units[0].standing == .passed && reader.bench.units[0].code == nil)
    }

    @Test func `leaves the lines of a run for the record of the next`() {
        var reader = read(begun)
        var record = TrayRecord(id: "r2")
        record.units = [UnitRecord(slot: "A1")]
        reader.take(record)
        #expect(reader.bench.run?.id == "r2" && reader.bench.units[0].standing == .waiting)
    }

    @Test func `keeps to the lines of a run where the record is of one before it`() {
        var older = TrayRecord(id: "r0")
        older.units = [UnitRecord(slot: "B7")]
        older.sessions = [
            TrayRecord.Session(number: 1, began: RecordedTime(milliseconds: -1_000), version: "1")
        ]
        var reader = read(begun)
        reader.take(older)
        #expect(reader.bench.run?.id == "r1" && reader.bench.units.map(\.slot) == ["A1"])
        var record = TrayRecord(id: "r1")
        record.units = [UnitRecord(slot: "A1")]
        reader.take(record)
        #expect(reader.bench.units[0].share == 0.25)
    }

    @Test func `has room for so many units and no more`() {
        let lines = (0..<2100).map { #"{"event":"found","schema":1,"slot":"\#($0)"}"# }
        #expect(read(lines).bench.units.count == 2000)
    }

    @Test func `takes from a pipe what comes in pieces`() {
        var lines = LineSplitter(limit: 8)
        #expect(lines.take("ab\ncd".utf8) == [Array("ab".utf8)])
        #expect(lines.take("e\n\nmuch too long ".utf8) == [Array("cde".utf8)])
        #expect(lines.take("indeed\nok\n".utf8) == [Array("ok".utf8)])
    }
}
