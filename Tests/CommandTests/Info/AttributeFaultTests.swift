import Bluetooth
import FaultTable
import Firmware
import Simulation
import TestSupport
import Testing
import UpdateModel

@testable import CommandKit
@testable import RadioCommands

/// A beacon of one kind, in a state in which `info` may find it.
enum FaultyDevice: String, CaseIterable, Sendable {
    case bootloader, application, legacy, suota

    func peer(_ address: DeviceAddress, _ attributeFault: AttributeFault, time: Timekeeper)
        -> any SimulatedPeer
    {
        let faults = [Fault.attributeFault(attributeFault, fromPacket: 1)]
        var description = NordicDescription(address: address)
        switch self {
        case .bootloader: break
        case .application: description.program = .application
        case .legacy: description.useLegacyBootloader(LegacyDevice(.sdk11))
        case .suota:
            return SUOTABeacon(SUOTADescription(address: address, .da14585), time: time, faults: faults)
        }
        return NordicBeacon(description, time: time, faults: faults)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `Reading a device with injected faults` {
    /// The MTU exchange may take the 30 s of a request, and reading ends 30 s after the start.
    private static let limit = Duration.seconds(61)
    private static let codes: Set<FailureCode> = [
        "link-lost", "no-answer", "unexpected-answer", "attribute-refused",
    ]

    @Test(arguments: AttributeFault.all, FaultyDevice.allCases)
    func `ends in time, in little memory, with a report or an exact code`(
        _ attributeFault: AttributeFault, _ device: FaultyDevice
    ) async throws {
        let address = try #require(DeviceAddress("F0:0D:BE:AC:00:00"))
        try await VirtualTime.run { time in
            let peer = device.peer(address, attributeFault, time: time.clock)
            try await SimulatedAdapter.withBeacons(
                [peer], link: LinkModel(), time: time.clock, readiness: time
            ) { adapter in
                let heard = try #require(await peer.advertisement(at: time.now))
                let sighting = BeaconSighting(heard, at: time.now)
                let began = time.now
                do {
                    let found = try await Info.report(
                        on: sighting, with: adapter, SecretStore(SecretsFile())
                    ).inventory
                    #expect(found.services.count <= InventoryReader.mostServices)
                    #expect(found.characteristics.count <= InventoryReader.mostCharacteristics)
                    #expect(found.characteristics.allSatisfy { $0.size <= 512 })
                } catch let failure as CommandFailure {
                    #expect(Self.codes.contains(failure.code), "\(failure)")
                }
                #expect(time.now - began <= Self.limit)
            }
        }
    }
}

extension DeviceInventory.CharacteristicEntry {
    /// Bytes of its value and its description.
    fileprivate var size: Int {
        let text = userDescription?.utf8.count ?? 0
        if case .value(let bytes) = reading { return max(bytes.count, text) }
        return text
    }
}
