import TestSupport
import Testing
import TraySamples
import UpdateModel

@testable import Tray

@Suite struct `A line of a run` {
    /// A name that is not UTF-8, with the byte FF.
    private static let foreign = "fw\u{10FFFF}.zip"

    private static let attempt: AttemptRecord = {
        var attempt = AttemptRecord(
            number: 2, session: 1, adapter: "hci0", began: RecordedTime(milliseconds: 0),
            address: "F0:0D:BE:AC:00:01/random",
            firmware: FirmwareRecord(
                path: foreign, sha256: "9f", kind: "nordic-secure", bytes: 1000, version: "2"),
            versionBefore: "1")
        (attempt.seconds, attempt.verified, attempt.versionAfter) = (10, "version", "2")
        attempt.transfer = AttemptRecord.Transfer(
            bytes: 1000, seconds: 2.00049, average: 499.87754, retries: 1, limitedBy: "air")
        (attempt.timesSent, attempt.verdict) = (1, UnitVerdict(.passed))
        return attempt
    }()

    /// An attempt without firmware, transfer or verdict.
    private static let plain = AttemptRecord(
        number: 3, session: 1, adapter: "hci1", began: RecordedTime(milliseconds: 0),
        address: "F0:0D:BE:AC:00:01/random")

    private static let unit: UnitRecord = {
        var unit = UnitRecord(slot: "A1", device: "id:7")
        (unit.address, unit.rssi, unit.attempts) = ("F0:0D:BE:AC:00:01/random", -60, [attempt])
        unit.verdict = UnitVerdict(.passed)
        return unit
    }()

    private static let failed: UnitRecord = {
        var unit = Self.unit
        unit.attempts = []
        unit.verdict = UnitVerdict(
            .failed, code: "link-lost", during: "sending", message: "\(foreign) was not sent",
            nextStep: "try again",
            state: UnitState(
                program: "bootloader", address: "F0:0D:BE:AC:00:02/random", application: "gone",
                words: "in its bootloader"))
        return unit
    }()

    private static let run: TrayRecord = {
        var run = TrayRecord(id: "r1")
        (run.expected, run.units) = (2, [unit, failed])
        run.sessions = [
            TrayRecord.Session(number: 1, began: RecordedTime(milliseconds: 0), version: "1")
        ]
        run.sessions[0].adapters = [TrayRecord.Adapter(name: "hci0")]
        (run.sessions[0].seconds, run.sessions[0].limitedBy) = (12.5, "air")
        return run
    }()

    private static func named(_ event: TrayEvent) -> [RunEvent] {
        RunEvent(event, slot: { "A\($0.value + 1)" }, adapters: ["hci0"]).map { [$0] } ?? []
    }

    private static let first = UnitNumber(0)
    private static let hold = TrayRecord.Hold(
        began: RecordedTime(milliseconds: 0), code: "paused", message: "m")
    private static let over = TrayRecord.Hold(
        began: RecordedTime(milliseconds: 0), code: "paused", message: "m",
        released: RecordedTime(milliseconds: 1))

    private static let lines: [(RunEvent, String)] = [
        (
            .started(run, units: 2, journal: "j.sqlite"),
            #"{"adapters":["hci0"],"event":"batch-started","expected":2,"journal":"j.sqlite","run":"r1","schema":1,"session":1,"simulated":false,"tray":null,"units":2}"#
        ),
        (
            named(.found(first, unit))[0],
            #"{"device":"F0:0D:BE:AC:00:01/random","event":"found","id":null,"model":null,"name":null,"rssi":-60,"schema":1,"slot":"A1","vendor":null}"#
        ),
        (
            named(.began(first, attempt))[0],
            #"{"adapter":"hci0","attempt":2,"device":"F0:0D:BE:AC:00:01/random","event":"attempt","schema":1,"slot":"A1"}"#
        ),
        (
            named(.planned(first, attempt))[0],
            #"{"adapter":"hci0","attempt":2,"bytes":1000,"device":"F0:0D:BE:AC:00:01/random","event":"started","file":"fw\\xff.zip","file_hex":"6677ff2e7a6970","kind":"nordic-secure","schema":1,"sha256":"9f","slot":"A1","version_from":"1","version_to":"2"}"#
        ),
        (
            named(.planned(first, plain))[0],
            #"{"adapter":"hci1","attempt":3,"bytes":null,"device":"F0:0D:BE:AC:00:01/random","event":"started","file":null,"kind":null,"schema":1,"sha256":null,"slot":"A1","version_from":null,"version_to":null}"#
        ),
        (
            named(.attempted(first, plain))[0],
            #"{"attempt":3,"average_bytes_per_second":null,"code":null,"event":"attempted","limited_by":null,"outcome":null,"retries":null,"schema":1,"seconds":null,"slot":"A1","times_sent":null,"transfer_seconds":null,"verified":null}"#
        ),
        (
            named(.warning(first, .init("battery-low", "8 %")))[0],
            #"{"code":"battery-low","event":"warning","message":"8 %","schema":1,"slot":"A1"}"#
        ),
        (named(.stalled(first))[0], #"{"event":"stalled","schema":1,"slot":"A1"}"#),
        (
            named(.attempted(first, attempt))[0],
            #"{"attempt":2,"average_bytes_per_second":499.878,"code":null,"event":"attempted","limited_by":"air","outcome":"passed","retries":1,"schema":1,"seconds":10,"slot":"A1","times_sent":1,"transfer_seconds":2,"verified":"version"}"#
        ),
        (
            named(.ended(first, unit))[0],
            #"{"attempts":1,"code":null,"device":"F0:0D:BE:AC:00:01/random","device_state":null,"during":null,"event":"finished","message":null,"next_step":null,"outcome":"passed","schema":1,"slot":"A1","verified":"version","version":"2","version_from":"1"}"#
        ),
        (
            named(.ended(first, failed))[0],
            #"{"attempts":0,"code":"link-lost","device":"F0:0D:BE:AC:00:01/random","device_state":{"address":"F0:0D:BE:AC:00:02/random","application":"gone","message":"in its bootloader","program":"bootloader"},"during":"sending","event":"failed","message":"fw\\xff.zip was not sent","next_step":"try again","outcome":"failed","schema":1,"slot":"A1","verified":null,"version":null,"version_from":null}"#
        ),
        (named(.hold(hold))[0], #"{"code":"paused","event":"held","message":"m","schema":1}"#),
        (named(.hold(over))[0], #"{"code":"paused","event":"released","message":"m","schema":1}"#),
        (
            named(.adapter(AdapterNumber(0), links: 2, limit: 4))[0],
            #"{"adapter":"hci0","event":"links","limit":4,"links":2,"schema":1}"#
        ),
        (
            named(.presence(AdapterNumber(0), isThere: false))[0],
            #"{"adapter":"hci0","event":"adapter-gone","schema":1}"#
        ),
        (
            named(.presence(AdapterNumber(0), isThere: true))[0],
            #"{"adapter":"hci0","event":"adapter-back","schema":1}"#
        ),
        (
            .pace(bytesPerSecond: 48_200, secondsLeft: 30.12345),
            #"{"bytes_per_second":48200,"event":"pace","schema":1,"seconds_left":30.123}"#
        ),
        (
            .pace(bytesPerSecond: 0, secondsLeft: nil),
            #"{"bytes_per_second":0,"event":"pace","schema":1,"seconds_left":null}"#
        ),
        (
            .warning("stopping", "m"),
            #"{"code":"stopping","event":"warning","message":"m","schema":1}"#
        ),
        (
            .finished(run, exit: 1),
            #"{"counts":{"aborted":0,"error":0,"failed":1,"not-needed":0,"passed":1,"skipped":0,"unknown":0},"event":"batch-finished","exit":1,"final_yield":0.5,"first_pass_yield":0.5,"limited_by":"air","open":0,"run":"r1","schema":1,"seconds":12.5,"units":2}"#
        ),
        (
            .finished(unstarted, exit: 65),
            #"{"counts":{"aborted":0,"error":0,"failed":0,"not-needed":0,"passed":0,"skipped":0,"unknown":0},"event":"batch-finished","exit":65,"final_yield":null,"first_pass_yield":null,"limited_by":null,"open":0,"run":"r1","schema":1,"seconds":null,"units":0}"#
        ),
    ]

    /// A run that has ended before a unit was known.
    private static let unstarted: TrayRecord = {
        var record = run
        (record.units, record.sessions) = ([], [])
        return record
    }()

    @Test(arguments: lines) func `has these members, and is read as the event that it was written for`(
        event: RunEvent, line: String
    ) {
        #expect(event.text == line)
        #expect(RunEvent(line: line.utf8) == event)
    }

    @Test func `of an update is read as it was written`() throws {
        func read(_ members: String) -> RunEvent? {
            RunEvent(line: (#"{"schema":1,"slot":"A1","# + members + "}").utf8)
        }
        for update: UpdateEvent in [
            .phase(.transferring), .progress(sent: 1, total: 2, bytesPerSecond: 0.5), .resumed(offset: 1),
            .retry(attempt: 1, reason: .device.linkLost, from: 1), .warning(.device.linkLost, "lost"),
        ] {
            let event = try #require(RunEvent(update)?.about("A1"))
            #expect(event.named != nil && RunEvent(line: event.text.utf8) == event)
        }
        let speed = try #require(read(#""event":"speed","attempt":0.5"#))
        #expect(speed.event == "speed" && speed.named == nil)
        #expect(read(#""event":"progress","sent":0.5"#) == nil)
        #expect(read(#""event":"attempted","attempt":1,"outcome":"none""#) == nil)
    }

    @Test func `of every sort, however it is cut or changed, does not stop its reader`() {
        for (_, line) in Self.lines {
            let bytes = Array(line.utf8)
            for index in bytes.indices {
                #expect(RunEvent(line: bytes[..<index]) == nil)
                var state = RunState()
                for flip: UInt8 in [0x01, 0x10, 0x80] {
                    var changed = bytes
                    changed[index] ^= flip
                    guard let event = RunEvent(line: changed) else { continue }
                    state.apply(event, at: .seconds(1), time: RecordedTime(milliseconds: 1))
                }
            }
        }
    }
}
