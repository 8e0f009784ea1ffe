import Simulation
package import TestSupport

extension NordicColumn {
    package func anyTrouble(_ counts: Counts, _ random: inout Seed) -> NordicTrouble {
        var trouble = NordicTrouble(
            (0..<Int.random(in: 1...4, using: &random)).map { _ in .any(counts, &random) })
        if random.isOneIn(8) { trouble.strangers = Int.random(in: 1...4, using: &random) }
        if random.isOneIn(8) { trouble.keepsAddress = true }
        if random.isOneIn(8) { trouble.forgetsName = true }
        return trouble
    }

    package func mayFail(under trouble: NordicTrouble) -> Set<String> {
        var codes: Set = ["activation-unconfirmed", "version-mismatch"]
        // A Legacy bootloader restarts after every lost link, and a good application starts then.
        if !traits.contains(.secure) {
            codes.formUnion([
                "left-bootloader", "link-lost", "transfer-stalled", "wrong-state", "no-answer",
                "image-incomplete",
                "image-crc-mismatch",
            ])
        }
        return trouble.faults.reduce(into: codes) { $0.formUnion($1.mayFail) }
    }
}

extension Fault {
    /// Any fault, somewhere in such an update.
    fileprivate static func any(_ counts: NordicColumn.Counts, _ random: inout Seed) -> Fault {
        let packet = Int.random(in: 1...counts.packets + 10, using: &random)
        let notification = Int.random(in: 1...counts.others, using: &random)
        switch Int.random(in: 0..<15, using: &random) {
        case 0: return .cut(beforePacket: packet)
        case 1: return .cut(afterPacket: packet)
        case 2: return .losePacket(Int.random(in: 1...counts.commands, using: &random))
        case 3: return .loseNotification(notification)
        case 4: return .doubleNotification(notification)
        case 5:
            let delay = Duration.milliseconds(Int.random(in: 1...25_000, using: &random))
            return .delayNotification(notification, by: delay)
        case 6: return .reorderNotification(notification)
        case 7: return .nordic(.corruptChecksum(Int.random(in: 1...8, using: &random)))
        case 8:
            return .nordic(.answerRequest(notification, with: results.randomElement(using: &random) ?? [5]))
        case 9: return .powerLoss(afterPacket: packet)
        case 10: return .loseFlashWrite(Int.random(in: 1...30, using: &random))
        case 11: return .slowBootloader(.milliseconds(Int.random(in: 1...7000, using: &random)))
        case 12: return .silence(fromPacket: packet)
        default: return .attributeFault(.any(&random), fromPacket: packet)
        }
    }

    private static let results: [[UInt8]] = [
        [2], [3], [4], [5], [7], [8], [10], [11, 5], [11, 7], [11, 12], [0x77],
    ]

    /// The codes with which an update may end because of this fault.
    fileprivate var mayFail: Set<String> {
        switch self {
        // Two silent links take longer than the 120 s after which a bootloader gives up.
        case .silence: ["no-answer", "left-bootloader", "bootloader-not-entered"]
        case .loseNotification, .delayNotification, .reorderNotification, .nordic(.corruptChecksum):
            ["image-crc-mismatch"]
        case .powerLoss: ["left-bootloader", "version-unchanged"]
        case .loseFlashWrite:
            ["image-hash-mismatch", "boot-validation-failed", "left-bootloader", "softdevice-mismatch"]
        case .nordic(.answerRequest):
            [
                "opcode-not-supported", "invalid-parameter", "insufficient-resources", "invalid-object",
                "init-packet-refused", "signature-invalid", "boot-validation-failed",
                "operation-not-permitted",
                "operation-failed",
                "firmware-version-too-low", "softdevice-mismatch", "unknown-result", "image-hash-mismatch",
                "activation-failed", "init-packet-too-long",
                "image-type-unsupported", "wrong-state", "too-fast", "packet-length-refused",
                "image-incomplete", "init-packet-missing", "data-overrun", "insufficient-space",
                "transfer-stalled", "image-crc-mismatch", "signature-missing", "init-packet-invalid",
            ]
        case .attributeFault(let attributeFault, _): attributeFault.mayFail
        default: []
        }
    }
}
