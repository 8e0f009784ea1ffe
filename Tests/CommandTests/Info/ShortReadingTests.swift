import Bluetooth
import Firmware
import Simulation
import Testing
import UpdateModel

@testable import CommandKit
@testable import RadioCommands

/// Runs `body` in virtual time with simulated beacons, listed as in a scenario.
func withAir<Value: Sendable>(
    _ beacons: String, _ body: @escaping @Sendable (SimulatedAdapter) async throws -> Value
) async throws -> Value {
    let text = "link: instant\nbeacons:\n\(beacons)\n"
    let scenario = try Scenario(parsing: Array(text.utf8), path: "air.yaml")
    return try await VirtualTime.run { time in
        try await scenario.play(time: time.clock, readiness: time) { try await body($0) }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A short reading` {
    /// The first beacon of `beacons` that is heard within 3 s.
    private static func heard(with adapter: SimulatedAdapter) async throws -> BeaconSighting {
        let heard = try await adapter.listen(for: .seconds(3)) { _ in false }
        return try #require(heard.byStrength.first)
    }

    @Test func `has the values of Device Information, Generic Access and the Battery Service`() async throws {
        let reading = try await withAir(
            """
              - kind: ibeacon
                address: F0:0D:BE:AC:01:00
                name: Lamp
                information: {model: "LAMP-2 ", serial: "7", hardware: V2, firmware: "1.0", software: "1.1"}
            """
        ) { adapter in try await ShortReading(with: adapter).read(try await Self.heard(with: adapter)) }
        #expect(reading.name == "Lamp" && reading.model == "LAMP-2" && reading.serial == "7")
        #expect(reading.hardware == "V2" && reading.firmware == "1.0" && reading.software == "1.1")
        #expect(reading.battery == nil)
    }

    @Test func `does not connect to a beacon that a connection could lock`() async throws {
        let (count, code) = try await withAir(
            "  - {kind: kontakt, address: E4:11:22:33:44:02, version: '3.1'}"
        ) {
            adapter in
            let beacon = try await Self.heard(with: adapter)
            #expect(!ShortReading.isAllowed(of: beacon))
            var code: String?
            do { _ = try await ShortReading(with: adapter).read(beacon) } catch let error as CommandFailure {
                code = error.code.rawValue
            }
            return (await adapter.connections, code)
        }
        #expect(count == 0 && code == "would-lock-beacon")
    }

    @Test(arguments: [("late_answers_ms: 9000", "no-answer"), ("cut_after_packet: 3", "link-lost")])
    func `ends within its time, whatever the beacon does`(fault: String, code: String) async throws {
        let beacon = "  - {address: F0:0D:BE:AC:01:00, mode: application, name: Lamp, faults: [{\(fault)}]}"
        let (took, found) = try await withAir(beacon) { adapter in
            let beacon = try await Self.heard(with: adapter)
            let began = adapter.time.now
            var found: String?
            do { _ = try await ShortReading(with: adapter).read(beacon) } catch let error as CommandFailure {
                found = error.code.rawValue
            }
            return (adapter.time.now - began, found)
        }
        #expect(found == code && took <= ShortReading.limit + .milliseconds(100))
    }

    @Test func `is not tried with a beacon that takes no connections`() async throws {
        let isAllowed = try await withAir(
            "  - {kind: kkm, address: DD:34:02:06:5B:03, connectable: false}"
        ) { adapter in ShortReading.isAllowed(of: try await Self.heard(with: adapter)) }
        #expect(!isAllowed)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A full reading of a beacon that disconnects after 30 s` {
    @Test func `ends before that, so that the beacon accepts others afterwards`() async throws {
        let beacon = "kind: kontakt, address: E4:11:22:33:44:02, version: '3.1'"
        let (first, second) = try await withAir("  - {\(beacon), faults: [{late_answers_ms: 6000}]}") {
            adapter in
            let heard = try await adapter.listen(for: .seconds(3)) { _ in false }
            let beacon = try #require(heard.byStrength.first)
            return (
                try await Info.report(on: beacon, with: adapter, SecretStore(SecretsFile())),
                try await Info.report(on: beacon, with: adapter, SecretStore(SecretsFile()))
            )
        }
        #expect(first.inventory.omission != nil && !second.inventory.services.isEmpty)
    }
}
