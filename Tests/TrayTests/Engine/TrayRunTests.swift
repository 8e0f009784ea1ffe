import Bluetooth
import Firmware
import Simulation
import Testing
import Tray
import UpdateBench
import UpdateEngine
import UpdateModel

@testable import tray_bench

@Suite(.timeLimit(.minutes(10))) struct `A run over a tray` {
    private static let apart = (0..<8).map { 2 * $0 }

    @Test func `updates every unit, each with one attempt`() async throws {
        let bench = TrayBench(numbers: Self.apart)
        let result = try await bench.run()
        #expect(result.outcomes == Array(repeating: .passed, count: 8), "\(result.records.map(\.verdict))")
        #expect(result.images.allSatisfy { $0 == bench.firmware(0).image })
        #expect(result.records.allSatisfy { $0.attempts.count == 1 && $0.address != nil })
        #expect(result.ending.adapters.first?.mostLinks == 4)
    }

    @Test func `counts the open links, without the one that an adapter refused`() async throws {
        var bench = TrayBench(numbers: Self.apart, links: nil)
        bench.controllers = [SimulatedController(name: "sim0", links: 4)]
        let result = try await bench.run()
        #expect(result.outcomes == Array(repeating: .passed, count: 8), "\(result.records.map(\.verdict))")
        let adapter = try #require(result.ending.adapters.first)
        #expect(adapter.mostLinks == 4 && adapter.limit == 4, "\(adapter)")
    }

    /// Similar names, adjacent addresses, all sent to their bootloaders at the same moment, and an image of its own for
    /// each of them.
    @Test func `never confuses units that jump into their bootloaders together`() async throws {
        let bench = TrayBench(
            numbers: Self.apart, firmware: { TestFirmware(count: 5000, seed: UInt8($0)) }, links: 8,
            change: { _, unit in unit.name = "Same" })
        let result = try await bench.run()
        #expect(result.outcomes == Array(repeating: .passed, count: 8), "\(result.records.map(\.verdict))")
        for (index, image) in result.images.enumerated() { #expect(image == bench.firmware(index).image) }
        let jumps = result.notes.filter { if case .enterBootloader? = $0.change { true } else { false } }
        let moments = jumps.map(\.at)
        let (first, last) = (try #require(moments.min()), try #require(moments.max()))
        #expect(jumps.count == 8 && last - first < .seconds(1))
    }

    @Test func `records the unit's identity, and each step, before anything is done to it`() async throws {
        let result = try await TrayBench(numbers: [0, 2, 4]).run()
        for slot in ["A0", "A1", "A2"] {
            let kinds = result.notes.filter { $0.slot == slot }.map(\.kind)
            let words = kinds.map { kind in
                switch kind {
                case .noted: "noted"
                case .begun: "begun"
                case .told: "told"
                case .change(.enterBootloader): "enter"
                case .change(.update): "update"
                case .change(.activate): "activate"
                case .change(.configure): "configure"
                case .ended, .closed, .held: "over"
                }
            }
            // The reported target, and the version that was read before.
            #expect(
                words == ["noted", "begun", "told", "told", "enter", "update", "activate", "over", "over"])
        }
    }

    @Test func `does nothing to a unit that cannot be recorded`() async throws {
        var bench = TrayBench(numbers: [0, 2])
        bench.takes = { $0.change == nil }
        let refusing = bench
        await #expect(throws: BenchJournal.Refusal.self) { _ = try await refusing.run() }
    }

    /// The first is refused, the second has its firmware, and the application of the third does not start.
    @Test func `writes settings only to units that have their firmware`() async throws {
        var bench = TrayBench(numbers: [0, 2, 4, 6])
        bench.settings = ["the name"]
        bench.change = { index, unit in
            if index == 0 { unit.softDevice = 0x77 }
            if index == 1 { unit.applicationVersion = 1 }
        }
        bench.faults = { $0 == 2 ? [.nordic(.deadApplication)] : [] }
        let result = try await bench.run()
        #expect(
            result.outcomes == [.failed, .notNeeded, .failed, .passed], "\(result.records.map(\.verdict))")
        for (index, record) in result.records.enumerated() {
            let steps = result.notes.filter { $0.slot == record.slot }.compactMap(\.change)
            let places = steps.indices.filter { if case .configure = steps[$0] { true } else { false } }
            #expect(places == (index % 2 == 1 ? [steps.count - 1] : []), "\(steps)")
            let codes = record.attempts.flatMap(\.warnings).map(\.code)
            #expect(codes.contains("settings-written") == (index % 2 == 1), "\(codes)")
        }
    }

    @Test func `does not pass a unit whose settings cannot be written`() async throws {
        var bench = TrayBench(numbers: [0])
        bench.settings = ["the name"]
        bench.blocker = { _, change in
            if case .configure? = change { FailureCode(named: "claim-lost") } else { nil }
        }
        let result = try await bench.run()
        #expect(result.outcomes == [.failed] && result.images == [bench.firmware(0).image])
        #expect(result.records[0].verdict?.code == "claim-lost")
    }

    @Test func `says that a unit has its firmware if it is given up while its settings are written`()
        async throws
    {
        var bench = TrayBench(numbers: [0])
        bench.rules.unitTime = .seconds(60)
        (bench.settings, bench.settingsTime) = (["the name"], .seconds(120))
        let result = try await bench.run()
        #expect(result.images == [bench.firmware(0).image])
        let verdict = try #require(result.records[0].verdict)
        #expect(verdict.code == "unit-time", "\(verdict)")
        #expect(
            verdict.message?.hasPrefix("it exceeded") == true
                && verdict.message?.contains("the unit has its firmware, but perhaps not its settings")
                    == true,
            "\(verdict)")
    }

    @Test func `starts with one unit alone, and continues when that has passed`() async throws {
        var bench = TrayBench(numbers: Self.apart)
        bench.rules = ScheduleRules()
        let result = try await bench.run()
        #expect(result.outcomes == Array(repeating: .passed, count: 8))
        let place = result.records.firstIndex { $0.isGolden }
        let golden = try #require(place)
        let first = result.notes.first { if case .closed = $0.kind { true } else { false } }
        let closed = try #require(first)
        #expect(closed.slot == "A\(golden)")
        #expect(
            result.notes.allSatisfy {
                $0.change == nil || $0.slot == closed.slot || $0.at >= closed.at
            })
        #expect(result.records.count(where: \.isGolden) == 1)
    }

    @Test func `ends with a reason if the first unit does not pass and the run is unattended`() async throws {
        var bench = TrayBench(numbers: Self.apart)
        bench.rules = ScheduleRules()
        bench.change = { _, unit in unit.softDevice = 0x77 }
        let result = try await bench.run()
        #expect(result.outcomes.count { $0 == .failed } == 1)
        #expect(result.outcomes.count { $0 == .aborted } == 7)
        let waiting = try #require(result.records.first { $0.verdict?.outcome == .aborted })
        #expect(waiting.verdict?.code == "golden-failed" && waiting.attempts.isEmpty)
        #expect(
            result.notes.contains { if case .held("golden-failed") = $0.kind { true } else { false } })
    }

    @Test func `reports as not begun only units that no session has changed`() async throws {
        var bench = TrayBench(numbers: Self.apart)
        bench.rules = ScheduleRules()
        bench.change = { _, unit in unit.softDevice = 0x77 }
        bench.target = {
            TrayTarget(slot: "A\($0)", device: .address($1), mayBeInBootloader: $0.isMultiple(of: 2))
        }
        let result = try await bench.run()
        let waiting = result.records.enumerated().filter { $0.element.attempts.isEmpty }
        #expect(waiting.count == 7)
        for (index, record) in waiting {
            let wasChanged = index.isMultiple(of: 2)
            #expect(record.verdict?.code == (wasChanged ? "interrupted" : "golden-failed"))
            #expect(record.verdict?.message?.contains("not begun") == !wasChanged)
        }
    }

    @Test func `holds until it is released, if the run is attended`() async throws {
        var bench = TrayBench(numbers: Self.apart, waitsOnHold: true)
        bench.rules = ScheduleRules()
        bench.change = { index, unit in if index == 0 { unit.softDevice = 0x77 } }
        bench.control = { event, hand in
            if case .hold(let hold) = event, hold.released == nil { hand.yield(.release) }
        }
        let result = try await bench.run()
        #expect(result.outcomes.count { $0 == .passed } == 7, "\(result.outcomes)")
    }

    @Test func `ends without absent units, and names them`() async throws {
        var bench = TrayBench(numbers: Self.apart)
        bench.missing = [2, 5]
        let result = try await bench.run()
        #expect(result.outcomes.count { $0 == .passed } == 6)
        for index in bench.missing {
            let verdict = try #require(result.records[index].verdict)
            #expect(verdict.outcome == .failed && verdict.code == "device-not-found")
            #expect(result.records[index].attempts.isEmpty)
        }
    }

    @Test func `finds a unit in its bootloader by the address rule`() async throws {
        var bench = TrayBench(numbers: [0, 2, 4])
        bench.change = { index, unit in if index == 1 { unit.program = .bootloader } }
        let result = try await bench.run()
        #expect(result.outcomes == [.passed, .passed, .passed], "\(result.records.map(\.verdict))")
        #expect(result.records[1].attempts.first?.address.hasSuffix(":03/random") == true)
        #expect(result.records[1].address?.hasSuffix(":02/random") == true)
    }

    @Test func `refuses a name that several beacons have, and a beacon that two slots match`() async throws {
        var bench = TrayBench(numbers: [0, 2, 4])
        bench.change = { index, unit in unit.name = index == 2 ? "Other" : "Same" }
        bench.target = { index, address in
            let device: DeviceSelector? =
                switch index {
                case 0: DeviceSelector("name:Same")
                case 1: .address(address)
                default: DeviceSelector("name:Other")
                }
            return TrayTarget(slot: "A\(index)", device: device ?? .address(address))
        }
        let result = try await bench.run()
        #expect(result.outcomes == [.error, .passed, .passed], "\(result.records.map(\.verdict))")
        #expect(result.records[0].verdict?.code == "device-ambiguous")
    }
}
