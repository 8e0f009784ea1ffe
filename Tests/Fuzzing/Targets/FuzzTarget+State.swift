import Bluetooth
import FoundationEssentials
import TestSupport

@testable import Simulation

extension FuzzTarget {
    /// The saved state of a simulated beacon.
    static let state = [retainedState]

    private static let retainedState = FuzzTarget("retained-state", seeds: { try stateFiles() }) { input in
        guard let state = try? JSONDecoder().decode(RetainedState.self, from: Data(input)) else { return }
        let description = try beacon()
        guard (try? state.check(in: description.layout)) != nil else { return }
        try await VirtualTime.run { time in
            let beacon = NordicBeacon(description, time: time.clock, retained: state)
            let image = await beacon.runningApplication?.image.count ?? 0
            try demand(image <= description.layout.size, "an image of \(image) bytes")
            _ = await beacon.advertisement(at: time.now)
            var bootloader = await beacon.state
            bootloader.connect(at: time.now)
            for request: [UInt8] in [
                [6, 1], [6, 2], [3], [2, 0, 0], [1, 1, 0x8C, 0, 0, 0], [4], [1, 2, 0, 0x10, 0, 0],
            ] {
                _ = bootloader.controlPoint(request, at: time.now)
                _ = bootloader.packet([UInt8](repeating: 7, count: 64), at: time.now)
            }
            await beacon.startBootloader()
            _ = await beacon.mode
        }
    }

    private static func beacon() throws(Violation) -> NordicDescription {
        guard let address = DeviceAddress("F0:0D:BE:AC:00:00") else {
            throw Violation(description: "no address")
        }
        return NordicDescription(address: address)
    }

    /// Beacons at the start and in the middle of an update.
    private static func stateFiles() throws -> [[UInt8]] {
        try [SecurePersonality.sdk12_3, .sdk15_3, .sdk17_1SavingProgress].flatMap { personality in
            var description = try beacon()
            description.personality = personality
            var bootloader = description.freshBootloader
            var states = [RetainedState(bootloader, .application)]
            bootloader.connect(at: .zero)
            for request: [UInt8] in [[2, 0, 0], [1, 1, 0x20, 0, 0, 0]] {
                _ = bootloader.controlPoint(request, at: .zero)
            }
            _ = bootloader.packet([UInt8](repeating: 7, count: 20), at: .zero)
            states.append(RetainedState(bootloader, .bootloader))
            return try states.map { [UInt8](try JSONEncoder().encode($0)) }
        }
    }
}

extension NordicDescription {
    /// The initial bootloader.
    var freshBootloader: any Bootloader { bootloader(settings: settings, at: .zero) }
}
