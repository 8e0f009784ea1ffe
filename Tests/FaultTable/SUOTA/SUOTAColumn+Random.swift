import Simulation
package import TestSupport

extension SUOTAColumn {
    package func anyTrouble(_ counts: Counts, _ random: inout Seed) -> SUOTATrouble {
        var trouble = SUOTATrouble(
            (0..<Int.random(in: 1...4, using: &random)).map { _ in .any(counts, &random) })
        if random.isOneIn(8) { trouble.circumstances.append(.silentVersion) }
        if random.isOneIn(16) { trouble.circumstances.append(.largeBlocks) }
        if traits.contains(.banks), random.isOneIn(16) { trouble.circumstances.append(.sameImage) }
        return trouble
    }

    package func mayFail(under trouble: SUOTATrouble) -> Set<String> {
        // Links lost after the device has everything leave the outcome open, and a power loss a device that was not
        // told to start its new image.
        var codes: Set = ["activation-unconfirmed", "version-mismatch"]
        for circumstance in trouble.circumstances {
            switch circumstance {
            case .largeBlocks: codes.insert("block-too-large")
            case .sameImage: codes.insert("same-image")
            default: break
            }
        }
        return trouble.faults.reduce(into: codes) { $0.formUnion($1.mayFail) }
    }
}

extension Fault {
    /// Any fault, somewhere in such an update.
    fileprivate static func any(_ counts: SUOTAColumn.Counts, _ random: inout Seed) -> Fault {
        let packet = Int.random(in: 1...counts.packets + 10, using: &random)
        let status = Int.random(in: 1...counts.statuses + 2, using: &random)
        let block = Int.random(in: 1...counts.blocks + 2, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return .cut(beforePacket: packet)
        case 1: return .cut(afterPacket: packet)
        case 2: return .losePacket(Int.random(in: 1...counts.commands, using: &random))
        case 3: return .loseNotification(status)
        case 4: return .doubleNotification(status)
        case 5:
            return .delayNotification(
                status, by: .milliseconds(Int.random(in: 1...45_000, using: &random)))
        case 6: return .reorderNotification(status)
        case 7: return .suota(.earlyNotification(status))
        case 8: return .suota(.replaceStatus(status, with: values.randomElement(using: &random) ?? 0))
        case 9:
            return .suota(
                .delayResponse(
                    Int.random(in: 1...counts.requests, using: &random),
                    by: .milliseconds(Int.random(in: 1...40_000, using: &random))))
        case 10: return .suota(.cutInBlock(block))
        case 11: return .suota(.powerLossInBlock(block))
        case 12: return .powerLoss(afterPacket: packet)
        case 13: return .loseFlashWrite(Int.random(in: 1...counts.blocks + 2, using: &random))
        case 14: return .slowBootloader(.milliseconds(Int.random(in: 1...20_000, using: &random)))
        case 15:
            return .suota(.answerMemoryInfo([0, 1, 64, 240, 1264, .max].randomElement(using: &random) ?? 0))
        case 16: return random.isOneIn(2) ? .suota(.ignoreReboot) : .suota(.refuseChannel)
        case 17: return .silence(fromPacket: packet)
        default: return .attributeFault(.any(&random), fromPacket: packet)
        }
    }

    private static let values: [UInt8] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x77,
    ]

    /// The codes with which an update may end because of this fault.
    fileprivate var mayFail: Set<String> {
        switch self {
        case .silence: ["no-answer"]
        // With a channel nothing else shows when the end may be announced. And a block with a gap is counted as whole,
        // so that the next one exceeds the buffer.
        case .suota(.answerMemoryInfo): ["no-answer", "image-crc-mismatch", "block-too-large"]
        // A gap in a stream's header looks like another header.
        case .losePacket: ["invalid-image-header", "image-too-large"]
        // Two of them exceed the timeout.
        case .slowBootloader: ["did-not-reappear", "link-lost"]
        case .suota(.replaceStatus(_, let value)): Self.codes[value] ?? []
        case .attributeFault(let attributeFault, _): attributeFault.mayFail
        default: []
        }
    }

    private static let codes: [UInt8: Set<String>] = [
        // After a false 02 the refused image continues, and has no header there.
        0x02: ["invalid-image-header"],
        0x00: ["image-not-marked"], 0x18: ["image-not-marked"], 0x01: ["patch-service"],
        0x06: ["flash-write-failed"], 0x07: ["block-too-large"],
        0x08: ["memory-type-refused"], 0x09: ["image-refused"], 0x11: ["invalid-bank"],
        0x12: ["invalid-image-header"], 0x13: ["image-too-large"], 0x14: ["product-header-missing"],
        0x15: ["same-image"], 0x16: ["wrong-pins"], 0x17: ["same-image"],
        0x77: ["unknown-status", "image-not-marked"],
    ]
}
