import Bluetooth
import TestSupport
import Testing

@testable import Simulation

@Suite struct `An advertising plan` {
    private static let address = DeviceAddress([0xDD, 0x34, 0x02, 0x06, 0x5B, 0x5C])

    private static func plan(_ change: (inout AdvertisingPlan) -> Void = { _ in }) throws -> AdvertisingPlan {
        var plan = AdvertisingPlan(KKMAdvertiser(address: try #require(address)))
        plan.answersScans = false
        change(&plan)
        return plan
    }

    /// The first byte of what is heard in each step of `step` up to `end`, by the ends of the steps.
    private static func heard(
        _ plan: AdvertisingPlan, by step: Duration = .milliseconds(100), until end: Duration
    ) throws -> [String] {
        let address = try #require(address)
        var list: [String] = []
        var now = Duration.nanoseconds(-1)
        while now < end {
            for report in plan.reports(after: now, through: min(now + step, end), from: address, rssi: -50) {
                list.append(Self.word(report.data))
            }
            now += step
        }
        return list
    }

    private static func word(_ data: AdvertisingData) -> String {
        for element in data.elements {
            switch element {
            case .serviceData(_, let bytes): return bytes.first.map { String($0, radix: 16) } ?? "-"
            case .manufacturer(0x004C, _): return "i"
            default: continue
            }
        }
        return "-"
    }

    @Test func `sends one frame per period, in turn, and telemetry instead of every tenth`() throws {
        let plan = try Self.plan { $0.period = .seconds(2) }
        let turns = ["22", "i", "21"]
        let expected = (0..<9).map { turns[$0 % 3] } + ["20"] + (9..<18).map { turns[$0 % 3] } + ["20"]
        #expect(try Self.heard(plan, until: .seconds(38)) == expected)
        #expect(try Self.heard(plan, by: .seconds(7), until: .seconds(38)) == expected)
    }

    @Test func `alternates telemetry frames if there is no ratio or no other frame`() throws {
        let equal = try Self.plan { $0.telemetryEvery = nil }
        #expect(try Self.heard(equal, until: .seconds(4)) == ["22", "i", "21", "20", "22"])
        let alone = try Self.plan { $0.slots = [.init(.frame(.eddystoneTLM))] }
        #expect(try Self.heard(alone, until: .seconds(2)) == ["20", "20", "20"])
    }

    @Test func `sends a frame with a period of its own in addition to the others`() throws {
        let plan = try Self.plan {
            $0.slots = [.init(.frame(.iBeacon), every: .milliseconds(400)), .init(.frame(.kkmSystem))]
            $0.phase = .milliseconds(50)
        }
        #expect(try Self.heard(plan, until: .seconds(1)) == ["i", "22", "i", "i"])
        #expect(plan.nextReport(after: .zero) == .milliseconds(50))
        #expect(plan.nextReport(after: .milliseconds(50)) == .milliseconds(450))
        #expect(plan.nextReport(after: .milliseconds(900)) == .milliseconds(1050))
    }

    @Test func `reports each frame once, however time is divided`() throws {
        let plan = try Self.plan { $0.period = .milliseconds(30) }
        let once = try Self.heard(plan, by: .seconds(1), until: .seconds(1))
        for step in [1, 7, 29, 30, 31, 333] {
            #expect(try Self.heard(plan, by: .milliseconds(step), until: .seconds(1)) == once)
        }
        #expect(once.count == 34)
    }

    @Test func `drops reports that were not read for long`() throws {
        let plan = try Self.plan { $0.period = .milliseconds(20) }
        let address = try #require(Self.address)
        let reports = plan.reports(after: .zero, through: .seconds(86400), from: address, rssi: -50)
        #expect(reports.count == 64)
    }

    @Test func `sends a scan response as a separate report without connectability`() throws {
        let plan = try Self.plan { $0.answersScans = true }
        let address = try #require(Self.address)
        let reports = plan.reports(after: .seconds(-1), through: .zero, from: address, rssi: -70)
        #expect(reports.map(\.isConnectable) == [true, nil])
        #expect(reports.map(\.rssi) == [-70, -70])
        #expect(reports.map(\.data.name) == [nil, "KBPro_000000"])
    }

    @Test func `accepts connections for a while after a click`() throws {
        let window = ConnectableWindow(.afterClick, clicks: [.seconds(5), .seconds(100)])
        let open = [0, 5, 64, 65, 99, 100, 159, 160].filter { window.isOpen(.seconds($0)) }
        #expect(open == [5, 64, 100, 159])
        #expect(
            ConnectableWindow().isOpen(.zero) && !ConnectableWindow(.never, clicks: [.zero]).isOpen(.zero))
    }

    @Test func `is silent if it is heard only after a trigger`() throws {
        var beacon = KKMAdvertiser(address: try #require(Self.address))
        beacon.sendsOnlyTriggered = true
        beacon.triggers = [.init(trigger: .motion, start: .seconds(3), length: .seconds(2))]
        #expect(try Self.heard(Self.plan { $0.advertiser = beacon }, until: .seconds(9)) == ["22", "i"])
    }

    @Test func `sends raw bytes unchanged`() throws {
        let plan = try Self.plan { $0.slots = [.init(.raw([2, 1, 6, 9, 8]))] }
        let heard = plan.latest(at: .zero, from: try #require(Self.address), rssi: 0)
        #expect(heard?.data.elements == [.flags(6)] && heard?.data.leftover == [9, 8])
    }
}
