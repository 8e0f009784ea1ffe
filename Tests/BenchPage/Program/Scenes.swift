import BenchPage
import Tray

/// Invented states, one for each picture and test.
enum Scene: String, CaseIterable {
    case mixed, held, past, silent, many, stations, floor, hostile, empty, scan

    /// The state at `now`.
    func state(at now: RecordedTime) -> BenchState {
        switch self {
        case .mixed: BenchState(title: "line3-bench2", benches: [Self.bench(48, now)])
        case .held:
            BenchState(title: "line3-bench2", benches: [Self.held(Self.bench(48, now, done: 14), now)])
        case .past:
            BenchState(title: "line3-bench2", benches: [Self.past(Self.bench(48, now, done: 48), now)])
        case .silent:
            BenchState(title: "line3-bench2", benches: [Self.silent(Self.bench(48, now), now)])
        case .many: BenchState(title: "line1-bench1", benches: [Self.bench(500, now, done: 310)])
        case .stations: BenchState(title: "Hall 2", benches: Self.stations(now))
        case .floor: BenchState(title: "beacon-dfu stations", benches: Self.floor(now))
        case .hostile: BenchState(title: "</title><script>", benches: [Self.hostile(now)])
        case .scan: BenchState(title: "line3-bench2", benches: [Self.scan()])
        case .empty:
            BenchState(title: "line3-bench2", benches: [Bench(id: "line3-bench2", name: "line3-bench2")])
        }
    }

    private static func ago(_ seconds: Int64, _ now: RecordedTime) -> RecordedTime {
        RecordedTime(milliseconds: now.milliseconds - seconds * 1000)
    }

    static func bench(
        _ count: Int, _ now: RecordedTime, done: Int = 38, id: String = "line3-bench2", seed: UInt64 = 7
    ) -> Bench {
        var bench = Bench(id: id, name: id)
        var run = Bench.Run(id: "0b7f4c1e-2a53-4d1c-9a0e-5f3f6f1d2c48")
        (run.tray, run.order, run.operatorName) = (
            "manifests/trays/line-3.yaml", "WO-2026-1123", "M. Sørensen"
        )
        (run.expected, run.firmware, run.began) = (count, "KBPro_S9_v6.40.zip · 6.40", ago(141, now))
        bench.run = run
        var seed = seed
        bench.units = (0..<count).map { unit($0, of: count, done: done, &seed) }
        bench.adapters = [Bench.Adapter("hci0"), Bench.Adapter("hci1")]
        (bench.adapters[0].links, bench.adapters[0].limit) = (min(6, max(0, count - done)), 7)
        (bench.adapters[1].links, bench.adapters[1].limit) = (min(2, max(0, count - done - 6)), 8)
        bench.outbox = Bench.Outbox(waiting: 12, since: ago(420, now))
        bench.catalogue = Bench.Catalogue(version: "2026-11-20.3", fetched: ago(7200, now))
        bench.ends = RecordedTime(milliseconds: now.milliseconds + 130_000)
        for second in 0..<141 {
            let pause = (70..<76).contains(second)
            bench.speeds.note(
                pause ? 0 : Double(min(second, 12) * 3200 + (second * 7919) % 9000),
                at: ago(141 - Int64(second), now))
        }
        return bench
    }

    private static func unit(_ index: Int, of count: Int, done: Int, _ seed: inout UInt64) -> PageUnit {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let dice = Int(seed >> 40)
        let slot =
            count <= 208
            ? String(UnicodeScalar(UInt8(65 + index / 8))) + String(index % 8 + 1) : String(index + 1)
        var unit = PageUnit(slot: slot)
        let hex = String(0x100_0000 + dice % 0xFF_FFFF, radix: 16).uppercased().dropFirst()
        unit.address = "F0:0D:BE:\(hex.prefix(2)):\(hex.dropFirst(2).prefix(2)):\(hex.dropFirst(4))/random"
        (unit.name, unit.model, unit.versionBefore) = ("KBPro_\(100_000 + dice % 899_999)", "S9", "6.31")
        unit.isGolden = index == 0
        guard index < done else { return working(unit, index - done, dice) }
        (unit.attempts, unit.adapter, unit.share) = (1, index % 3 == 0 ? "hci1" : "hci0", 1)
        (unit.status, unit.version, unit.passedFirst) = (.passed, "6.40", true)
        end(&unit, index, count)
        return unit
    }

    private static func end(_ unit: inout PageUnit, _ index: Int, _ count: Int) {
        switch index % (count > 48 ? 61 : 48) {
        case 5:
            (unit.status, unit.code, unit.passedFirst, unit.version) = (
                .failed, "image-refused", false, nil
            )
            unit.cause = "the beacon refused the image: it is for other hardware (0B 06)"
            unit.nextStep =
                "compare the label with the order; a variant with another sensor has other firmware"
            unit.stateText = "bootloader, its application is intact"
        case 12:
            (unit.status, unit.code, unit.passedFirst, unit.attempts) = (.failed, "battery-low", false, 2)
            (unit.cause, unit.nextStep) = ("battery at 8 %", "change its battery, then try again")
            (unit.share, unit.version) = (nil, nil)
        case 21:
            (unit.status, unit.code, unit.attempts, unit.passedFirst) = (.error, "adapter-gone", 1, nil)
            (unit.cause, unit.nextStep) = ("hci1 went away", "plug it in again, then retry")
            (unit.share, unit.version) = (0.42, nil)
        case 26:
            (unit.status, unit.code, unit.passedFirst) = (.unknown, "reappearance-missing", false)
            (unit.cause, unit.nextStep) = (
                "it was not heard after its restart", "take out its battery, then retry"
            )
            unit.version = nil
        case 30: (unit.status, unit.share, unit.passedFirst) = (.notNeeded, nil, nil)
        case 33: (unit.status, unit.share, unit.passedFirst, unit.code) = (.skipped, nil, nil, "left-out")
        case 9: (unit.attempts, unit.passedFirst) = (2, false)
        default: break
        }
    }

    private static func working(_ unit: PageUnit, _ place: Int, _ dice: Int) -> PageUnit {
        var unit = unit
        guard place < 8 else { return unit }
        (unit.status, unit.attempts, unit.version) = (.running, 1, "6.40")
        unit.adapter = place < 6 ? "hci0" : "hci1"
        switch place {
        case 0: (unit.status, unit.phase, unit.share) = (.stalled, "transferring", 0.37)
        case 6: unit.phase = "connecting"
        case 5: (unit.phase, unit.share) = ("verifying", 1)
        default:
            unit.phase = "transferring"
            unit.share = Double(15 + dice % 80) / 100
            unit.bytesPerSecond = Double(6000 + dice % 6000)
            unit.secondsLeft = Double(5 + dice % 20)
        }
        return unit
    }

    private static func held(_ bench: Bench, _ now: RecordedTime) -> Bench {
        var bench = bench
        bench.hold = Bench.Hold(
            code: "failures-in-a-row", message: "3 units in a row failed with image-refused",
            since: ago(95, now))
        for index in bench.units.indices {
            switch bench.units[index].status {
            case .running, .stalled:
                (bench.units[index].status, bench.units[index].phase, bench.units[index].share) = (
                    .waiting, nil, nil
                )
                bench.units[index].bytesPerSecond = nil
            default: break
            }
        }
        for index in 11..<14 {
            (bench.units[index].status, bench.units[index].code) = (.failed, "image-refused")
            (bench.units[index].passedFirst, bench.units[index].version) = (false, nil)
            bench.units[index].cause = "the beacon refused the image: it is for other hardware (0B 06)"
            bench.units[index].nextStep = "compare the label with the order"
        }
        for index in bench.adapters.indices { bench.adapters[index].links = 0 }
        bench.ends = nil
        return bench
    }

    private static func past(_ bench: Bench, _ now: RecordedTime) -> Bench {
        var bench = bench
        (bench.isPast, bench.ends) = (true, nil)
        bench.run?.ended = ago(5400, now)
        bench.run?.limitedBy = "connector"
        return bench
    }

    private static func silent(_ bench: Bench, _ now: RecordedTime) -> Bench {
        var bench = bench
        bench.silence = Bench.Silence(since: ago(260, now), reason: "the run sends no more events")
        return bench
    }

    private static func stations(_ now: RecordedTime) -> [Bench] {
        var benches = [
            bench(48, now, id: "line1-bench1", seed: 3),
            held(bench(48, now, done: 20, id: "line1-bench2", seed: 4), now),
            bench(24, now, done: 9, id: "line2-bench1", seed: 5),
            silent(bench(48, now, done: 30, id: "line2-bench2", seed: 6), now),
            past(bench(32, now, done: 32, id: "line3-bench1", seed: 8), now),
            bench(300, now, done: 120, id: "line3-bench2", seed: 9),
        ]
        benches[2].adapters[1].isThere = false
        return benches
    }

    /// Benches as a work server has them: units without slots, and finished work.
    private static func floor(_ now: RecordedTime) -> [Bench] {
        ["line2-bench1", "line2-bench2"].map { name in
            var bench = bench(24, now, done: 24, id: name, seed: name == "line2-bench1" ? 11 : 12)
            for index in bench.units.indices {
                bench.units[index].slot = bench.units[index].shortAddress ?? "?"
                bench.units[index].isGolden = false
            }
            (bench.adapters, bench.ends) = ([], nil)
            bench.run?.tray = nil
            bench.outbox = Bench.Outbox(waiting: name == "line2-bench1" ? 0 : 1, since: ago(60, now))
            if name == "line2-bench1" { bench.idle = ago(600, now) }
            return bench
        }
    }

    /// A tray whose first slots are filled.
    private static func scan() -> Bench {
        var bench = Bench(id: "line3-bench2", name: "line3-bench2")
        bench.scan(filled: 5, said: ["A5: F0:0D:BE:44:31:71/random, KBPro_969109, -52 dBm"])
        return bench
    }

    private static func hostile(_ now: RecordedTime) -> Bench {
        var bench = bench(16, now, done: 13)
        let names = [
            "</script><script>document.title='owned'</script>", "\"><img src=x onerror=alert(1)>",
            "=cmd|' /C calc'!A0", "\u{1B}[2J\u{1B}]0;owned\u{7}", "\u{202E}gpj.exe",
            "a\r\nevent: snapshot\r\ndata: {}",
            "倉庫入口ビーコン", "<style>*{display:none}</style>", "\u{2028}\u{2029}", "שלום 12", "{{7*7}}${1}",
        ]
        for (index, name) in names.enumerated() {
            bench.units[index].name = name
            bench.units[index].status = .failed
            bench.units[index].code = "device-not-found"
            bench.units[index].cause = name
        }
        bench.units[11].slot = "__proto__"
        bench.units[12].slot = "constructor"
        bench.name = "<b>bench</b>\u{202E}"
        bench.run?.order = "<img src=x onerror=alert(2)>"
        return bench
    }
}

extension Bench {
    /// The slots of a tray of 48, the first `filled` of them with beacons.
    mutating func scan(filled: Int, said: [String], asks: Bool = false) {
        let slots = (0..<48).map { index in
            SlotScan.Slot(
                String(UnicodeScalar(UInt8(65 + index / 8))) + String(index % 8 + 1),
                beacon: index < filled ? "KBPro_\(100_000 + index * 7919), -5\(index % 10) dBm" : nil)
        }
        let next = slots[min(filled, 47)].slot
        scan = SlotScan(
            slots, next: next,
            prompt: asks
                ? "Refused: it was not heard. Is it a unit of this tray?" : "Scan the label for \(next).",
            asks: asks, said: said)
        units = slots.map { slot in
            var unit = PageUnit(slot: slot.slot)
            unit.name = slot.beacon
            return unit
        }
    }
}
