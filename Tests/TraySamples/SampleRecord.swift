package import Tray
import UpdateModel

/// Records of invented runs over trays, for tests of reports and for pictures of them.
package struct SampleRecord {
    private var seed: UInt64
    /// Seconds after the start of the run at which a link slot is free.
    private var slots: [Double]
    private static let start: Int64 = 1_795_417_200_000

    private init(seed: UInt64, links: Int) {
        (self.seed, slots) = (seed, Array(repeating: 0, count: links))
    }

    /// A run over `count` units, of which about every twelfth does not pass.
    package static func run(units count: Int, links: Int = 8, seed: UInt64 = 7) -> TrayRecord {
        var sample = SampleRecord(seed: seed, links: links)
        return sample.record(count)
    }

    /// A run over a few units, each with another outcome, some with hostile names.
    package static var few: TrayRecord {
        var record = run(units: 48)
        let names = hostileNames
        record.units = [0, 1, 2, 5, 9, 17, 22, 26, 30, 41, 44].map { record.units[$0] }
        for (index, name) in names.enumerated() where index < record.units.count {
            record.units[index].name = name
        }
        record.tray = "<b>tray</b> & '\"\u{202E}.yaml"
        record.expected = 12
        return record
    }

    /// Hostile names.
    package static let hostileNames = [
        "</script><script>document.title='owned'</script>", "\"><img src=x onerror=alert(1)>",
        "=cmd|' /C calc'!A0",
        "\u{1B}[2J\u{1B}]0;owned\u{7}", "\u{202E}gpj.exe", "a,b;\"c\"\r\nrow", "倉庫入口ビーコン・東館三階会議室",
        "<style>*{display:none}</style>", "&amp;&lt;b&gt;", "@SUM(A1:A9)", "--><!--", "${alert(1)}{{7*7}}",
        "שלום עולם 12", String(repeating: "A very long name ", count: 4),
    ]

    /// The place of the unit `index` on trays of eight columns: `A1` to `F8`; numbers on larger ones.
    package static func label(_ index: Int, of count: Int) -> String {
        guard count <= 208 else { return String(index + 1) }
        return String(UnicodeScalar(UInt8(65 + index / 8))) + String(index % 8 + 1)
    }

    private mutating func next(_ bound: UInt64) -> UInt64 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (seed >> 33) % bound
    }

    private mutating func record(_ count: Int) -> TrayRecord {
        var record = TrayRecord(id: "0b7f4c1e-2a53-4d1c-9a0e-5f3f6f1d2c48")
        record.tray = "manifests/trays/line-3.yaml"
        (record.station, record.operatorName) = ("FACTORY-LINE3-BENCH2", "M. Sørensen")
        record.orderNumber = "WO-2026-1123"
        record.expected = count + (count == 48 ? 0 : 2)
        record.sessions = sessions
        record.units = (0..<count).map { unit($0, of: count) }
        let last = slots.max() ?? 0
        record.sessions[1].ended = Self.moment(last + 2, session: 2)
        record.holds = [
            .init(
                began: Self.moment(41, session: 1), code: .tray.consecutiveFailures,
                message: "3 units in a row have failed: image-crc-mismatch",
                released: Self.moment(58, session: 1)),
            .init(
                began: Self.moment(last, session: 2), code: .tray.sameCause, message: "link-lost came 4 times"
            ),
        ]
        return record
    }

    /// The second begins an hour after the first one was interrupted, 60 s into the run.
    private static func moment(_ seconds: Double, session: Int) -> RecordedTime {
        RecordedTime(milliseconds: start + Int64(seconds * 1000) + (session == 2 ? 3_600_000 : 0))
    }

    private var sessions: [TrayRecord.Session] {
        var first = TrayRecord.Session(number: 1, began: Self.moment(0, session: 1), version: "0.1.0")
        first.adapters = [.init(name: "hci0", mostLinks: 8, limit: 8), .init(name: "hci1", mostLinks: 5)]
        first.checks = [
            .init("adapters", "ok", "hci0 and hci1 are powered"),
            .init("noise-floor", "warning", "42 other beacons advertise within range"),
            .init("catalogue-age", "error", "the catalogue is 93 days old"),
        ]
        first.limitedBy = "connector"
        var second = TrayRecord.Session(number: 2, began: Self.moment(60, session: 2), version: "0.1.0")
        second.adapters = [.init(name: "hci0", mostLinks: 7, limit: 7)]
        second.checks = [.init("adapters", "ok", "hci0 is powered")]
        second.limitedBy = "slots"
        return [first, second]
    }

    private static let firmware = FirmwareRecord(
        path: "firmware/k6-app-2.4.1.zip",
        sha256: "9f2c6c2e0b4a4d0f8d3d2f9d5a7b6c1e4f8a0b2c3d4e5f60718293a4b5c6d7e8", kind: "nordic-secure",
        bytes: 98_304, version: "2.4.1")

    private mutating func unit(_ index: Int, of count: Int) -> UnitRecord {
        let address = "F0:0D:BE:AC:" + Self.hex(index >> 8) + ":" + Self.hex(index & 255) + "/random"
        var unit = UnitRecord(slot: Self.label(index, of: count), device: String(address.prefix(17)))
        (unit.address, unit.identifier) = (address, "KB\(100_000 + index)")
        (unit.vendor, unit.model, unit.rssi) = ("kkm", index % 3 == 0 ? "K6" : "K9", -45 - Int(next(40)))
        unit.name =
            index % 5 == 4
            ? Self.hostileNames[(index / 5) % Self.hostileNames.count] : "KBeacon \(100 + index)"
        unit.isGolden = index == 0
        // Every outcome occurs, on the smallest tray too; the rest is random.
        switch (index % 48, next(24)) {
        case (0, _), (24, _): pass(&unit, attempts: 1)
        case (9, _): notNeeded(&unit)
        case (17, _): unknown(&unit, address)
        case (22, _): (unit.address, unit.name, unit.identifier, unit.rssi) = (nil, nil, nil, nil)
        case (26, _): benchError(&unit)
        case (30, _): unit.verdict = UnitVerdict(.skipped, message: "left out by the operator")
        case (41, _): aborted(&unit)
        case (44, _): cutOff(&unit)
        case (2, _), (_, 0): fail(&unit, Self.crcFailure(address))
        case (_, 1): fail(&unit, Self.lost(address))
        case (_, 2): pass(&unit, attempts: 2)
        default: pass(&unit, attempts: 1)
        }
        return unit
    }

    private static func hex(_ byte: Int) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count < 2 ? "0" + digits : digits
    }
}

extension SampleRecord {
    private mutating func pass(_ unit: inout UnitRecord, attempts: Int) {
        for number in 1...attempts {
            let isLast = number == attempts
            let verdict = isLast ? UnitVerdict(.passed) : Self.lost(unit.address ?? "")
            attempt(&unit, number, verdict, share: isLast ? 1 : 0.4)
        }
        unit.verdict = UnitVerdict(.passed)
    }

    private mutating func fail(_ unit: inout UnitRecord, _ verdict: UnitVerdict) {
        for number in 1...3 { attempt(&unit, number, verdict, share: 0.2 * Double(number)) }
        unit.verdict = verdict
    }

    private mutating func benchError(_ unit: inout UnitRecord) {
        let verdict = UnitVerdict(
            .error, code: .device.tooManyLinks, during: "connecting",
            message: "hci0 has no room for a further link",
            nextStep: "lower 'links' in the tray file, and retry")
        attempt(&unit, 1, verdict, share: nil)
        unit.verdict = verdict
    }

    private func notNeeded(_ unit: inout UnitRecord) {
        unit.verdict = UnitVerdict(.notNeeded, code: .device.sameVersion, message: "it runs 2.4.1 already")
    }

    private func aborted(_ unit: inout UnitRecord) {
        unit.verdict = UnitVerdict(
            .aborted, code: .system.interrupted, message: "the run was ended before its turn",
            nextStep: "run the same command with --resume")
    }

    private mutating func cutOff(_ unit: inout UnitRecord) {
        attempt(&unit, 1, UnitVerdict(.failed), share: 0.3)
        unit.attempts[0].seconds = nil
        unit.attempts[0].transfer = nil
        unit.attempts[0].verdict = nil
    }

    private mutating func unknown(_ unit: inout UnitRecord, _ address: String) {
        let verdict = UnitVerdict(
            .unknown, code: FailureCode(named: "did-not-come-back"), during: "rebooting",
            message: "it was not heard for 30 s after its restart",
            nextStep: "look whether it advertises, and run --retry-failed",
            state: UnitState(
                program: "unknown", address: address, application: "new",
                words: "not heard since its restart; it has the whole new application"))
        attempt(&unit, 1, verdict, share: 1)
        unit.verdict = verdict
    }

    private static func crcFailure(_ address: String) -> UnitVerdict {
        UnitVerdict(
            .failed, code: .device.imageCRCMismatch, during: "transferring",
            message: "the device has another checksum than the file after object 3",
            nextStep: "retry with a slower link: --prn 4",
            state: UnitState(
                program: "bootloader", address: address, application: "intact",
                words: "in its bootloader at \(address), old application intact"))
    }

    private static func lost(_ address: String) -> UnitVerdict {
        UnitVerdict(
            .failed, code: .device.linkLost, during: "transferring",
            message: "the link was lost and not made again in 4 attempts",
            nextStep: "move the tray closer to the adapter, and run --retry-failed",
            state: UnitState(
                program: "bootloader", address: address, application: "gone",
                words: "in its bootloader at \(address), old application gone"))
    }

    private mutating func attempt(
        _ unit: inout UnitRecord, _ number: Int, _ verdict: UnitVerdict, share: Double?
    ) {
        let slot = slots.indices.min { slots[$0] < slots[$1] } ?? 0
        let before = unit.attempts.last.map {
            $0.began.seconds(since: Self.moment(0, session: $0.session)) + ($0.seconds ?? 0)
        }
        let begin = max(slots[slot], Double(slots.count - slot) * 0.4, before ?? 0)
        let session = begin < 60 ? 1 : 2
        var attempt = AttemptRecord(
            number: number, session: session, adapter: session == 1 && slot % 3 == 2 ? "hci1" : "hci0",
            began: Self.moment(begin, session: session), address: unit.address ?? "", firmware: Self.firmware,
            versionBefore: unit.model == "K6" ? "2.3.0" : nil)
        attempt.phases = [.init("connecting", at: 0)]
        var at = 0.8 + Double(next(120)) / 100
        if let share {
            if number == 1 {
                attempt.phases += [.init("entering-bootloader", at: at), .init("connecting", at: at + 1)]
                at += 1.6
            }
            attempt.phases += [.init("preparing", at: at), .init("transferring", at: at + 0.3)]
            at += 0.3
            at = transfer(&attempt, from: at, share)
            if share == 1 {
                attempt.phases += [
                    .init("activating", at: at), .init("rebooting", at: at + 0.2),
                    .init("verifying", at: at + 2),
                ]
                at += 2.4
            }
        }
        if verdict.outcome == .passed { (attempt.versionAfter, attempt.verified) = ("2.4.1", "version") }
        if next(20) == 0 { attempt.warnings = [.init(.device.batteryLow, "the battery is at 18 %")] }
        attempt.seconds = (at * 1000).rounded() / 1000
        attempt.verdict = verdict
        unit.attempts.append(attempt)
        slots[slot] = begin + at
    }

    private mutating func transfer(_ attempt: inout AttemptRecord, from start: Double, _ share: Double)
        -> Double
    {
        let bytes = Int(Double(Self.firmware.bytes) * share)
        var (sent, at) = (0, start)
        while sent < bytes {
            let rate = 7000 + Int(next(5000)) - (next(12) == 0 ? 6000 : 0)
            at += 1
            attempt.speeds.append(.init(at: at, bytesPerSecond: Double(rate)))
            sent += rate
        }
        let seconds = at - start
        attempt.transfer = .init(
            bytes: bytes, seconds: seconds, average: (Double(bytes) / seconds).rounded(),
            retries: Int(next(3)),
            limitedBy: "flash")
        return at
    }
}
