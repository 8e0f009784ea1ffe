import Bluetooth
import Firmware
import Simulation
import TestSupport
import Testing
import UpdateModel

@testable import CommandKit
@testable import RadioCommands

@Suite(.timeLimit(.minutes(10))) struct `A lookup of updates that may connect` {
    /// The beacons connected to, the match of the sample catalogue for each, and the number of connections.
    private struct Outcome: Sendable {
        var connected: Set<String> = []
        var words: [String: String] = [:]
        var versions: [String: String] = [:]
        var connectionsBefore = 0
        var connections = 0
    }

    private static func outcome(with adapter: SimulatedAdapter, after seconds: Int) async throws -> Outcome {
        let folder = try CatalogueFolder(path: Samples.root + "/manifests")
        var lookup = CatalogueLookup(folder.catalogue, by: SecretStore(SecretsFile()))
        let heard = try await adapter.listen(for: .seconds(seconds)) { _ in false }.byStrength
        var outcome = Outcome()
        outcome.connectionsBefore = await adapter.connections
        try await lookup.read(heard, with: adapter, telling: Console(style: .init(isJSON: true)))
        outcome.connections = await adapter.connections
        for beacon in heard {
            let address = "\(beacon.address)"
            if lookup.hasConnected(to: beacon) { outcome.connected.insert(address) }
            outcome.words[address] = lookup.match(beacon).outcome.word
            outcome.versions[address] = ScanColumn.version.text(of: beacon, by: lookup)
        }
        return outcome
    }

    @Test func `connects only to unidentified beacons for which a connection is safe`()
        async throws
    {
        let outcome = try await withAir(
            """
              - {kind: ibeacon, address: F0:00:00:00:00:01, information: {model: Tag, software: "1.0"}}
              - {kind: ibeacon, address: F0:00:00:00:00:02, information: {model: Tag, software: "1.2.3"}}
              - {kind: ibeacon, address: F0:00:00:00:00:03, connectable: false}
              - {kind: feasycom, address: "DC:0D:30:00:00:04/public", model: 21, version: 830}
              - {kind: kontakt, address: E4:00:00:00:00:05, version: "3.1"}
              - {kind: ibeacon, address: F0:00:00:00:00:06, information: {model: Stranger}}
            """
        ) { try await Self.outcome(with: $0, after: 3) }
        #expect(
            outcome.connected == ["F0:00:00:00:00:01", "F0:00:00:00:00:02", "F0:00:00:00:00:06"])
        #expect(outcome.connectionsBefore == 0 && outcome.connections == 3)
        #expect(
            outcome.words == [
                "F0:00:00:00:00:01": "update-available", "F0:00:00:00:00:02": "up-to-date",
                "F0:00:00:00:00:03": "unknown", "DC:0D:30:00:00:04": "update-available",
                "E4:00:00:00:00:05": "vendor-only", "F0:00:00:00:00:06": "not-listed",
            ])
        #expect(outcome.versions["F0:00:00:00:00:01"] == "1.0")
    }

    @Test func `continues after one that does not answer, which stays unknown`() async throws {
        let outcome = try await withAir(
            """
              - {kind: ibeacon, address: F0:00:00:00:00:01, faults: [cut_after_packet: 1], rssi: -40}
              - {kind: ibeacon, address: F0:00:00:00:00:02, information: {model: Tag, software: "1.0"}}
            """
        ) { try await Self.outcome(with: $0, after: 3) }
        #expect(outcome.words["F0:00:00:00:00:01"] == "unknown")
        #expect(outcome.words["F0:00:00:00:00:02"] == "update-available")
    }

    /// Six of the tray's forty beacons do not identify themselves and take connections.
    @Test func `leaves the other beacons of a tray alone`() async throws {
        let path = Samples.root + "/manifests/scenarios/tray.yaml"
        let text = String(decoding: try Samples.file(at: path), as: UTF8.self)
        let beacons = try #require(text.firstRange(of: "beacons:\n").map { String(text[$0.upperBound...]) })
        let outcome = try await withAir(beacons) { try await Self.outcome(with: $0, after: 20) }
        #expect(
            outcome.connected == [
                "D2:00:00:00:00:01", "D2:00:00:00:00:02", "D2:00:00:00:00:03", "D2:00:00:00:00:04",
                "F0:0D:BE:AC:33:00", "F0:0D:BE:AC:34:00",
            ])
        #expect(outcome.connections == 6)
    }
}
