import Bluetooth
import Foundation
import SeamContract
import Simulation
import Testing

/// The properties of the link between adapter and beacon.
enum Air: String, CaseIterable, Sendable {
    case withoutAirTime = "without air time"
    case modelled = "modelled"
    case asKernel = "without air time, links made as a kernel does"

    var model: LinkModel? { self == .modelled ? LinkModel() : nil }
    var controller: SimulatedController {
        SimulatedController(connecting: self == .asKernel ? .kernel : .instant)
    }
}

/// Two beacons in their applications, and an address without a beacon.
private func withSimulatedPeers(
    on air: Air, _ body: @Sendable (SimulatedAdapter, Peers) async throws -> Void
) async throws {
    let addresses = try ["F0:0D:BE:AC:11:00", "F0:0D:BE:AC:11:10", "F0:0D:BE:AC:11:20"].map {
        try #require(DeviceAddress($0))
    }
    let peers = Peers(
        first: addresses[0], second: addresses[1], absent: addresses[2],
        longValue: Characteristic(BluetoothUUID(0x1800), BluetoothUUID(0x2A00)),
        promptness: air == .asKernel ? .milliseconds(250) : .milliseconds(10))
    let beacons = addresses.prefix(2).enumerated().map { number, address in
        var description = NordicDescription(address: address)
        description.program = .application
        description.name = String(repeating: "n", count: 239) + "\(number)"
        description.applicationVersion = UInt32(number) + 1
        return description
    }
    try await VirtualTime.run { time in
        let clock = time.clock
        try await SimulatedAdapter.withBeacons(
            beacons.map { NordicBeacon($0, time: clock) }, link: air.model, time: clock, readiness: time,
            controller: air.controller
        ) { try await body($0, peers) }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A simulated adapter fulfils` {
    @Test(arguments: AdapterFact<SimulatedAdapter>.all, Air.allCases)
    func `every fact of the contract`(fact: AdapterFact<SimulatedAdapter>, air: Air) async throws {
        try await withSimulatedPeers(on: air) { try await fact.check(on: $0, with: $1) }
    }

    @Test(arguments: Air.allCases) func `all facts, one after another`(air: Air) async throws {
        try await withSimulatedPeers(on: air) { adapter, peers in
            for fact in AdapterFact<SimulatedAdapter>.all { try await fact.check(on: adapter, with: peers) }
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A capturing adapter fulfils` {
    @Test(arguments: AdapterFact<CapturingAdapter<SimulatedAdapter>>.all)
    func `every fact of the contract`(fact: AdapterFact<CapturingAdapter<SimulatedAdapter>>) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/contract-" + UUID().uuidString
        defer { unlink(path) }
        try await withSimulatedPeers(on: .modelled) { adapter, peers in
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
            let file = CaptureFile(path: path, descriptor: descriptor, now: { 0 }) { Issue.record("\($0)") }
            try await fact.check(on: CapturingAdapter(adapter, into: file), with: peers)
        }
    }
}
