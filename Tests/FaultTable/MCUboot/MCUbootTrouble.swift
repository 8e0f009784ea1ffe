import MCUboot
package import Simulation
import UpdateBench

/// The faults of one update over SMP.
package struct MCUbootTrouble: FaultTrouble {
    /// The initial conditions.
    package enum Circumstance: String, CaseIterable, Hashable, Sendable {
        case crashes = "a new image that crashes"
        case hangs = "a new image that hangs"
        case noServer = "a new image without SMP"
        case otherKey = "a bootloader with another key"
        case smallSlot = "slots that are too small"
        case inTest = "another image in test"
        case encrypted = "a link that has to be encrypted"
        case higherVersion = "a higher version that runs"
        case downgradeRefused = "a higher version that runs, and no downgrades"
    }

    package var faults: [Fault]
    package var circumstances: Set<Circumstance> = []

    package init(_ faults: [Fault] = []) { self.faults = faults }

    package init(_ circumstance: Circumstance) { (faults, circumstances) = ([], [circumstance]) }

    package var description: String {
        (faults.map { "\($0)" } + circumstances.map(\.rawValue).sorted()).joined(separator: ", ")
    }
}

extension MCUbootTrouble.Circumstance {
    /// The version that columns send, as devices list it.
    private static let sent = "1.1.0"

    func apply(to description: inout MCUbootDescription) {
        var application = MCUbootApplication()
        switch self {
        case .crashes:
            application.crashes = true
            description.applications[Self.sent] = application
        case .hangs:
            application.hangs = true
            description.applications[Self.sent] = application
        case .noServer:
            application.hasServer = false
            description.applications[Self.sent] = application
        case .otherKey:
            description.bootloader.keyHash = [UInt8](repeating: 7, count: 32)
            replace(in: &description) { MCUbootFirmware(keyHash: [UInt8](repeating: 7, count: 32)) }
        case .smallSlot: description.slotSize = 8192
        case .inTest:
            description.images[0].second = padded("1.0.9", in: description.slotSize)
        case .encrypted: description.needsEncryption = true
        case .higherVersion: replace(in: &description) { MCUbootFirmware(version: "1.2.0") }
        case .downgradeRefused:
            replace(in: &description) { MCUbootFirmware(version: "1.2.0") }
            description.bootloader.preventsDowngrade = true
        }
    }

    /// Another factory image for each number.
    private func replace(in description: inout MCUbootDescription, _ firmware: () -> MCUbootFirmware) {
        for index in description.images.indices {
            var firmware = firmware()
            firmware.payload[0] = UInt8(clamping: index)
            description.images[index].first = firmware.file
        }
    }

    /// An image in a whole slot, with the mark for a test at its end.
    private func padded(_ version: String, in size: Int) -> [UInt8] {
        let file = MCUbootFirmware(version: version).file
        return file + [UInt8](repeating: 0xFF, count: max(size - file.count - 16, 0)) + [
            0x77, 0xC2, 0x95, 0xF3, 0x60, 0xD2, 0xEF, 0x7F, 0x35, 0x52, 0x50, 0x0F, 0x2C, 0xB6, 0x79, 0x80,
        ]
    }
}
