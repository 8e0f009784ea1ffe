import Bluetooth
import Testing

@testable import Simulation

@Suite(.timeLimit(.minutes(10))) struct `A simulated beacon that advertises` {
    private static func peer(_ number: UInt8) throws -> DeviceAddress {
        try #require(DeviceAddress([0xF0, 0x0D, 0xBE, 0xAC, 0x0E, number]))
    }

    /// Three beacons, and an adapter that hears what `hears` says.
    private static func play<Value: Sendable>(
        hears: String, _ body: @escaping @Sendable (SimulatedAdapter) async throws -> Value
    ) async throws -> Value {
        let scenario = try `A scenario file`.scenario(
            """
            adapters: [{hears: \(hears)}]
            beacons:
              - {kind: mcuboot, address: 'F0:0D:BE:AC:0E:01'}
              - {kind: mcuboot, address: 'F0:0D:BE:AC:0E:02', advertising: extended}
              - {kind: mcuboot, address: 'F0:0D:BE:AC:0E:03', advertising: coded}
              - {kind: kkm, address: 'F0:0D:BE:AC:0E:04', advertising: coded}
            """)
        return try await VirtualTime.run { time in
            try await scenario.play(time: time.clock, readiness: time, body)
        }
    }

    @Test(
        arguments: [("legacy", [1]), ("extended", [1, 2]), ("coded", [1, 2, 3, 4])] as [(String, [UInt8])])
    func `is heard and connected to only by adapters that can`(_ hears: String, _ heard: [UInt8]) async throws
    {
        let peers = try (1...4).map { try Self.peer($0) }
        let wanted = try Set(heard.map { try Self.peer($0) })
        try await Self.play(hears: hears) { adapter in
            for peer in peers {
                let report = try await adapter.firstHeard(of: [peer], within: .seconds(3))
                #expect((report != nil) == wanted.contains(peer))
            }
            for peer in peers.prefix(3) {
                let link = try? await adapter.open(
                    .attributes, to: peer, asking: LinkRequest(), within: .seconds(5))
                #expect((link != nil) == wanted.contains(peer))
                link?.close()
            }
        }
    }

    @Test(
        arguments: [
            ("legacy", .missing, .missing), ("extended", .missing, .missing), ("coded", .selected, .selected),
            ("coded-on-request", .notSelected, .selected),
        ] as [(String, CodedReception, CodedReception)])
    func `on LE Coded may have to be asked for`(
        _ hears: String, _ before: CodedReception, _ after: CodedReception
    ) throws {
        var scenario = try `A scenario file`.scenario(
            "{adapters: [{hears: \(hears)}], beacons: [{kind: mcuboot, address: 'F0:0D:BE:AC:0E:01'}]}")
        #expect(scenario.adapters.map(\.coded) == [before])
        scenario.selectCoded()
        #expect(scenario.adapters.map(\.coded) == [after])
    }

    @Test(arguments: [(false, nil), (true, .coded)] as [(Bool, AdvertisingPackets?)])
    func `on LE Coded is in the built-in tray, for those who ask`(
        _ isAsked: Bool, _ packets: AdvertisingPackets?
    ) async throws {
        var scenario = Scenario.builtIn
        if isAsked { scenario.selectCoded() }
        let beacon = try #require(DeviceAddress([0xF0, 0x0D, 0xBE, 0xAC, 0x0B, 0x00]))
        let heard = try await VirtualTime.run { [scenario] time in
            try await scenario.play(time: time.clock, readiness: time) {
                try await $0.firstHeard(of: [beacon], within: .seconds(5))
            }
        }
        #expect(heard?.packets == packets)
    }

    @Test func `on LE Coded tells so, and has its scan response in its advert`() async throws {
        let peer = try Self.peer(4)
        try await Self.play(hears: "coded") { adapter in
            let report = try #require(try await adapter.firstHeard(of: [peer], within: .seconds(5)))
            #expect(report.packets == .coded && report.data.name != nil && report.isConnectable != nil)
            let legacy = try #require(
                try await adapter.firstHeard(of: [try Self.peer(1)], within: .seconds(5)))
            #expect(legacy.packets == .legacy)
        }
    }

    @Test func `in extended packets gets links on their secondary PHY`() async throws {
        let peers = try (1...3).map { try Self.peer($0) }
        let phys = try await Self.play(hears: "coded") { adapter in
            var phys: [PHY?] = []
            for peer in peers {
                let link = try await adapter.open(
                    .attributes, to: peer, asking: LinkRequest(), within: .seconds(5))
                phys.append(await adapter.parameters(of: link).phy)
                link.close()
            }
            return phys
        }
        #expect(phys == [.le1M, .le2M, .leCoded])
    }
}
