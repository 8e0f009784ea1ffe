import Bluetooth
import Feasycom
import Firmware
import KKM
import Orange
import Simulation
import TestSupport
import Testing
import UpdateModel

/// The simulated beacons were written from the vendors' sheets by another author than the parsers.
@Suite(.timeLimit(.minutes(10))) struct `A tray of all vendors' beacons` {
    /// The identity of each beacon of the tray after 20 s, by address.
    private func identities() async throws -> [String: AdvertisedIdentity] {
        let path = Samples.root + "/manifests/scenarios/tray.yaml"
        let scenario = try Scenario(parsing: try Samples.file(at: path), path: path)
        let heard = try await heard(in: scenario, for: .milliseconds(20_100))
        return Dictionary(uniqueKeysWithValues: heard.all.map { ("\($0.address)", $0.identity) })
    }

    private func heard(in scenario: Scenario, for length: Duration) async throws -> BeaconSightings {
        try await VirtualTime.run { time in
            try await scenario.play(time: time.clock, readiness: time) { adapter in
                try await Self.listen(to: adapter, for: length)
            }
        }
    }

    private static func listen(
        to adapter: SimulatedAdapter, for length: Duration
    ) async throws -> BeaconSightings {
        let time = adapter.time
        let end = time.now + length
        let stream = try await adapter.advertisements()
        return await withTaskGroup(of: BeaconSightings?.self) { group in
            group.addTask {
                var heard = BeaconSightings()
                for await report in stream { heard.add(report, at: time.now) }
                return heard
            }
            group.addTask {
                try? await time.sleep(until: end)
                return nil
            }
            var heard = BeaconSightings()
            for await part in group {
                if let part { heard = part }
                group.cancelAll()
            }
            return heard
        }
    }

    @Test func `is identified in 20 s, each beacon by its own frames`() async throws {
        let all = try await identities()
        #expect(all.count == 40)
        let families = Dictionary(grouping: all.values) { $0.family }.mapValues(\.count)
        #expect(
            families == [
                .feasycom: 8, .kkm: 10, .kkmOld: 1, .kontakt: 5, .aSensor: 3, .estimote: 2, .nearable: 1,
                .orangeTag: 1, .eddystone: 1, .altBeacon: 1, .iBeacon: 2, .unknown: 5,
            ])
        #expect(all.values.filter { !$0.isComplete }.map(\.address) == [])
        #expect(all.values.allSatisfy { $0.contradictions.isEmpty })
        let cut = all.filter { !$0.value.frameErrors.isEmpty }.mapValues { $0.frameErrors.map(\.frame) }
        #expect(
            cut == ["E4:11:22:33:44:03": [KontaktClassic.kind], "D2:00:00:00:00:04": [IBeacon.kind]])
    }

    @Test func `has the values that its beacons were given`() async throws {
        let all = try await identities()
        let k6 = try #require(all["DD:34:02:06:D0:6C"])
        #expect(k6.id == "DD:34:02:06:D0:6C")
        #expect(k6.version == "6.21")
        #expect(k6.charge == BatteryCharge(percent: 100, millivolts: 3591))
        #expect(k6.sensors.first { $0.name == "acceleration-z" }?.value == 1003)
        let feasycom = try #require(all["DC:0D:30:00:00:04"])
        #expect((feasycom.model, feasycom.version) == ("BP102", "830"))
        #expect(feasycom.flags.contains("pin-needed"))
        #expect(all["DC:0D:30:00:00:02"]?.charge == BatteryCharge(isExternal: true))
        let kontakt = try #require(all["E4:11:22:33:44:05"])
        #expect((kontakt.id, kontakt.version, kontakt.charge.percent) == ("ghijkl", "1.9", 11))
        #expect(kontakt.flags == ["moving"])
        #expect(all["E4:11:22:33:44:06"]?.id == nil)
        #expect(all["D1:22:33:44:55:02"]?.flags.contains("firmware-error") == true)
        #expect(all["BC:57:29:02:45:08"]?.id == "BC:57:29:02:45:08")
        #expect(all["D2:00:00:00:00:01"]?.numbers.map { "\($0)".hasSuffix("/6454/1458") } == [true])
    }

    @Test(arguments: [(3, [.version, .id]), (7, [])] as [(Int, [AdvertisedPart])])
    func `lists what a beacon with alternating frames has not sent yet`(
        seconds: Int, missing: [AdvertisedPart]
    ) async throws {
        let turns = """
            beacons:
              - kind: kkm
                address: DD:34:02:06:5B:5C
                name: KBPro_214810
                period_ms: 2000
                frames: [ibeacon, kkm-sensor, eddystone-tlm, kkm-system]
            """
        let scenario = try Scenario(parsing: Array(turns.utf8), path: "turns.yaml")
        let heard = try await heard(in: scenario, for: .seconds(seconds))
        #expect(heard.all.map(\.identity.missing) == [missing])
    }
}
