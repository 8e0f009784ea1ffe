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

    var cast: [Cast]
    var link: LinkModel? = LinkModel()
    var statePath: String?

    /// The built-in tray: one beacon of every kind that the program can update, and one that runs its
    /// application. All have an S132 4.0.2 SoftDevice, so that the samples suit them.
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
        return Scenario(cast: cast.compactMap(\.self))
    }()

    /// Runs `body` with the adapter of this scenario.
    public func play<Value: Sendable>(
        time: Timekeeper, readiness: any DescriptorReadiness,
        _ body: (SimulatedAdapter) async throws -> Value
    ) async throws -> Value {
        let folder = try statePath.map(StateFolder.init(path:))
        var beacons: [SimulatedBeacon] = []
        for member in cast {
            let retained = try folder?.retained(member.description)
            beacons.append(
                SimulatedBeacon(
                    member.description, time: time, faults: member.faults, retained: retained?.state,
                    retainedImage: retained?.image ?? [],
                    memory: try folder?.memory(of: member.description.address)))
        }
        return try await SimulatedAdapter.withBeacons(
            beacons, link: link, time: time, readiness: readiness, body)
    }
}
