import BluetoothTypes
public import PacketSockets
import SimulatedDevice
public import Timing

/// Who is near, over what link, and what is remembered between runs.
public struct Scenario: Sendable {
    /// One beacon and what goes wrong with it.
    struct Cast: Sendable {
        var description: BeaconDescription
        var faults: [Fault] = []
    }

    /// One beacon with SUOTA and what goes wrong with it.
    struct SUOTACast: Sendable {
        var description: SUOTADescription
        var faults: [Fault] = []
    }

    /// Those with a Nordic bootloader.
    var cast: [Cast]
    /// Those with SUOTA.
    var suota: [SUOTACast] = []
    var link: LinkModel? = LinkModel()
    var statePath: String?

    /// The built-in tray: one beacon of every kind that the program can update, and one that runs its
    /// application. Those of Nordic have an S132 4.0.2 SoftDevice, so that the samples suit them.
    public static let builtIn: Scenario = {
        func beacon(_ number: UInt8, _ name: String, _ change: (inout BeaconDescription) -> Void) -> Cast? {
            guard let address = DeviceAddress([0xF0, 0x0D, 0xBE, 0xAC, number, 0x00]) else { return nil }
            var description = BeaconDescription(address: address)
            description.name = name
            description.softDevice = 0x98
            description.rssi = -40 - Int8(clamping: Int(number) * 6)
            change(&description)
            return Cast(description: description)
        }
        let cast = [
            beacon(1, "Blinker 1") { $0.key = TestKey.publicKey },
            beacon(2, "Blinker 2") {
                $0.personality = .sdk15_3
                $0.key = TestKey.publicKey
            },
            beacon(3, "Open 3") { $0.personality = .sdk16_0 },
            beacon(4, "Blinker 4") { $0.program = .application },
            beacon(5, "Lamp 5") { $0.speakLegacy(LegacyDevice(.sdk11)) },
        ]
        func suota(_ number: UInt8, _ name: String, _ personality: SUOTAPersonality) -> SUOTACast? {
            guard let address = DeviceAddress([0xF0, 0x0D, 0xBE, 0xAC, number, 0x00]) else { return nil }
            var description = SUOTADescription(address: address, personality)
            description.name = name
            description.rssi = -40 - Int8(clamping: Int(number) * 6)
            return SUOTACast(description: description)
        }
        let suota = [suota(6, "Tag 6", .da14585), suota(7, "Tag 7", .da14683Channel)]
        return Scenario(cast: cast.compactMap(\.self), suota: suota.compactMap(\.self))
    }()

    /// Runs `body` with the adapter of this scenario.
    public func play<Value: Sendable>(
        time: Timekeeper, readiness: any DescriptorReadiness,
        _ body: (SimulatedAdapter) async throws -> Value
    ) async throws -> Value {
        let folder = try statePath.map(StateFolder.init(path:))
        var beacons: [any SimulatedPeer] = []
        for member in cast {
            let retained = try folder?.retained(member.description)
            beacons.append(
                SimulatedBeacon(
                    member.description, time: time, faults: member.faults, retained: retained?.state,
                    retainedImage: retained?.image ?? [],
                    memory: try folder?.memory(of: member.description.address)))
        }
        for member in suota {
            let address = member.description.address
            let size = member.description.personality.flashSize
            beacons.append(
                SUOTABeacon(
                    member.description, time: time, faults: member.faults,
                    retained: try folder?.retainedFlash(of: address, size: size),
                    memory: try folder?.memory(of: address)))
        }
        return try await SimulatedAdapter.withBeacons(
            beacons, link: link, time: time, readiness: readiness, locks: folder?.locks, body)
    }
}
