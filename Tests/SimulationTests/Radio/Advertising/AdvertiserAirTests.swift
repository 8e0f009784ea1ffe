import Bluetooth
import Bytes
import TestSupport
import Testing

@testable import Simulation

@Suite(.timeLimit(.minutes(10))) struct `Vendors' beacons on the air` {
    private static func play<Value: Sendable>(
        _ beacons: String, _ body: @escaping @Sendable (SimulatedAdapter) async throws -> Value
    ) async throws -> Value {
        let scenario = try `A scenario file`.scenario("link: instant\nbeacons:\n" + beacons)
        return try await VirtualTime.run { time in
            try await scenario.play(time: time.clock, readiness: time) { try await body($0) }
        }
    }

    /// The reports within `length`, each with its time.
    private static func heard(
        on adapter: SimulatedAdapter, for length: Duration
    ) async throws -> [(at: Duration, report: Advertisement)] {
        let end = adapter.time.now + length
        let stream = try await adapter.advertisements()
        return await withTaskGroup(of: [(at: Duration, report: Advertisement)]?.self) { group in
            group.addTask {
                var list: [(at: Duration, report: Advertisement)] = []
                for await report in stream { list.append((adapter.time.now, report)) }
                return list
            }
            group.addTask {
                try? await adapter.time.sleep(until: end)
                return nil
            }
            var list: [(at: Duration, report: Advertisement)] = []
            for await part in group {
                list += part ?? []
                group.cancelAll()
            }
            return list
        }
    }

    @Test func `are heard at the moments of their periods, advertisement and scan response separately`()
        async throws
    {
        let moments = try await Self.play(
            """
            - {kind: kkm, address: BC:57:29:02:45:9F/public, period_ms: 2000, frames: [kkm-system, ibeacon]}
            - {kind: ibeacon, address: F0:0D:BE:AC:01:00, period_ms: 700, phase_ms: 30}
            - {address: F0:0D:BE:AC:02:00}
            """
        ) { adapter in
            try await Self.heard(on: adapter, for: .milliseconds(4050)).map {
                ($0.at, $0.report.address, $0.report.isConnectable)
            }
        }
        let kkm = moments.filter { $0.1.kind == .public }
        #expect(kkm.map(\.0) == [0, 0, 2, 2, 4, 4].map { .seconds($0) })
        #expect(kkm.map(\.2) == [true, nil, true, nil, true, nil])
        let plain = moments.filter { $0.1.description == "F0:0D:BE:AC:01:00" }
        #expect(plain.map(\.0) == [30, 730, 1430, 2130, 2830, 3530].map { .milliseconds($0) })
        #expect(moments.filter { $0.1.description == "F0:0D:BE:AC:02:01" }.count == 41)
    }

    @Test func `with four frames at 2 s are complete after 20 s, and not before`() async throws {
        let seen = try await Self.play("- {kind: kkm, address: DD:34:02:06:5B:5C, period_ms: 2000}") {
            adapter in
            try await Self.heard(on: adapter, for: .milliseconds(20_050)).compactMap { moment, report in
                report.data.elements.compactMap { element -> (Duration, UInt8)? in
                    switch element {
                    case .serviceData(let service, let data) where service.short == 0xFEAA:
                        (moment, data.first ?? 0)
                    case .manufacturer(_, let data): (moment, data.first ?? 0)
                    default: nil
                    }
                }.first
            }
        }
        #expect(seen.map(\.1) == [0x22, 0x02, 0x21, 0x22, 0x02, 0x21, 0x22, 0x02, 0x21, 0x20, 0x22])
        #expect(seen.first { $0.1 == 0x20 }?.0 == .seconds(18))
    }

    @Test func `can be read if they take connections, which are counted`() async throws {
        let read = try await Self.play(
            """
            - {kind: kkm, address: BC:57:29:02:45:9F/public, period_ms: 2000, information: {model: K6}}
            - {kind: ibeacon, address: F0:0D:BE:AC:01:00}
            """
        ) { adapter in
            let before = await adapter.connections
            let address = try #require(adapter.advertisers.first?.description.address)
            let texts = try await adapter.withConnection(to: address, within: .seconds(5)) { client in
                var texts: [String] = []
                for number: UInt16 in [0x2A23, 0x2A24, 0x2A26] {
                    let value = try await client.read(
                        Characteristic(BluetoothUUID(0x180A), BluetoothUUID(number)))
                    texts.append(HexText.encode(value))
                }
                return texts
            }
            return (before, texts, await adapter.connections)
        }
        #expect(read.0 == 0 && read.2 == 1)
        #expect(read.1 == ["9f45022957bc", HexText.encode("K6".utf8), HexText.encode("V6.20".utf8)])
        let random = try await Self.play("- {kind: kkm, address: BC:57:29:02:45:9F/public}") { adapter in
            await Self.outcome(adapter, "BC:57:29:02:45:9F")
        }
        #expect(random == .seconds(5))
    }

    /// The time to connect; the limit on failure.
    private static func outcome(
        _ adapter: SimulatedAdapter, _ address: String, within limit: Duration = .seconds(5)
    ) async -> Duration? {
        guard let address = DeviceAddress(address) else { return nil }
        let begin = adapter.time.now
        try? await adapter.withConnection(to: address, within: limit) { _ in }
        return adapter.time.now - begin
    }

    @Test func `refuse connections if they take none, or before the click`() async throws {
        let (never, early, inTime, late) = try await Self.play(
            """
            - {kind: kkm, address: F0:0D:BE:AC:01:00, connectable: false}
            - {kind: orange-tag, address: F0:0D:BE:AC:02:00, clicks_s: [30]}
            """
        ) { adapter in
            let never = await Self.outcome(adapter, "F0:0D:BE:AC:01:00")
            let early = await Self.outcome(adapter, "F0:0D:BE:AC:02:00")
            let inTime = await Self.outcome(adapter, "F0:0D:BE:AC:02:00", within: .seconds(40))
            let connections = await adapter.connections
            try await adapter.time.sleep(until: .seconds(90))
            let late = await Self.outcome(adapter, "F0:0D:BE:AC:02:00")
            #expect(connections == 1)
            return (never, early, inTime, late)
        }
        #expect(never == .seconds(5) && early == .seconds(5) && inTime == .seconds(20) && late == .seconds(5))
    }

    @Test func `answer no more scans than the file specifies`() async throws {
        let answers = try await Self.play(
            "- {kind: ibeacon, name: Lamp, address: F0:0D:BE:AC:01:00, period_ms: 500, scan_response_every: 3}"
        ) { adapter in
            try await Self.heard(on: adapter, for: .milliseconds(4100)).filter {
                $0.report.isConnectable == nil
            }
        }
        #expect(answers.map(\.at) == [.seconds(1), .seconds(2.5), .seconds(4)])
        #expect(answers.allSatisfy { $0.report.data.name != nil })
    }

    @Test func `are connectable by the frames that the file names, and only then`()
        async throws
    {
        let frames =
            "[{frame: ibeacon, connectable: false}, {frame: eddystone-uid, connectable: true}, eddystone-url]"
        let beacons = """
            - {kind: ibeacon, address: F0:0D:BE:AC:01:00, frames: \(frames), connectable: false, scan_response: false}
            """
        let heard = try await Self.play(beacons) { try await Self.heard(on: $0, for: .milliseconds(5900)) }
        #expect(heard.map(\.report.isConnectable) == [false, true, false, false, true, false])
        for connecting in ["instant", "kernel", "accept-list"] {
            let scenario = try `A scenario file`.scenario("connecting: \(connecting)\nbeacons:\n\(beacons)")
            let moments = try await VirtualTime.run { time in
                try await scenario.play(time: time.clock, readiness: time) { adapter in
                    let address = try #require(adapter.advertisers.first?.description.address)
                    return try await adapter.withConnection(to: address, within: .seconds(10)) { client in
                        let moment = adapter.time.now
                        _ = try await client.exchangeMTU()
                        return moment
                    }
                }
            }
            #expect(
                moments >= .seconds(1) && Int(moments / .seconds(1)) % 3 == 1, "\(connecting): \(moments)")
        }
    }

    @Test func `advertise Orange's service only while the button allows connections`() async throws {
        let heard = try await Self.play("- {kind: orange-tag, address: F0:0D:BE:AC:02:00, clicks_s: [30]}") {
            adapter in
            try await Self.heard(on: adapter, for: .seconds(100)).filter { !$0.report.data.services.isEmpty }
                .map(\.at)
        }
        #expect(heard.min() == .seconds(30) && heard.max() == .seconds(89))
    }

    @Test
    func `of Kontakt's old versions disconnect a client without a password, and stay closed for 20 min`()
        async throws
    {
        let moments = try await Self.play("- {kind: kontakt, version: '3.1', address: F0:0D:BE:AC:01:00}") {
            adapter in
            let address = try #require(adapter.advertisers.first?.description.address)
            let lost: Duration = try await adapter.withConnection(to: address, within: .seconds(5)) {
                client in
                _ = try await client.exchangeMTU()
                for _ in 0..<100 {
                    let name = Characteristic(BluetoothUUID(0x1800), BluetoothUUID(0x2A00))
                    guard (try? await client.read(name)) != nil else { break }
                    try await adapter.time.sleep(for: .seconds(1))
                }
                return adapter.time.now
            }
            let refused = await Self.outcome(adapter, "F0:0D:BE:AC:01:00")
            try await adapter.time.sleep(until: .seconds(1229))
            let again = await Self.outcome(adapter, "F0:0D:BE:AC:01:00")
            return (lost, refused, again)
        }
        #expect(moments.0 >= .seconds(29) && moments.0 <= .seconds(31))
        #expect(moments.1 == .seconds(5))
        #expect(moments.2.map { $0 > .zero && $0 <= .seconds(2) } == true)
    }

    @Test func `are on a tray of 40, all heard in 25 s without a connection`() async throws {
        let scenario = try Scenario(path: Samples.root + "/manifests/scenarios/tray.yaml")
        let (heard, connections) = try await VirtualTime.run { time in
            try await scenario.play(time: time.clock, readiness: time) { adapter in
                let reports = try await Self.heard(on: adapter, for: .seconds(25)).map(\.report)
                return (reports, await adapter.connections)
            }
        }
        #expect(Set(heard.map(\.address)).count == 40 && connections == 0)
        let kinds = Set(heard.map(\.address.kind))
        #expect(kinds == [.public, .random])
    }

    @Test func `may be applications that take updates`() async throws {
        let heard = try await Self.play(
            """
            - {address: F0:0D:BE:AC:01:00, mode: application, advertises: {kind: kkm, period_ms: 500, connectable: false}}
            - {kind: suota, address: F0:0D:BE:AC:02:00, advertises: {kind: asensor, period_ms: 500}}
            """
        ) { adapter in
            let reports = try await Self.heard(on: adapter, for: .milliseconds(1950))
            let kept = await Self.outcome(adapter, "F0:0D:BE:AC:01:00")
            #expect(kept == .seconds(5))
            return reports.map { ($0.at, $0.report.address.bytes[4], $0.report.data.companies) }
        }
        #expect(heard.filter { $0.1 == 1 }.count == 8)
        #expect(heard.filter { $0.2 == [0x00D2] }.map(\.0) == [0, 500, 1000, 1500].map { .milliseconds($0) })
    }
}
