import Simulation
package import TestSupport

extension KBeaconColumn {
    package func anyTrouble(_ counts: Counts, _ random: inout Seed) -> KBeaconTrouble {
        var trouble = KBeaconTrouble(
            (0..<Int.random(in: 1...3, using: &random)).map { _ in .any(counts, &random) })
        trouble.hasWrongPassword = random.isOneIn(16)
        return trouble
    }

    package func mayFail(under trouble: KBeaconTrouble) -> Set<String> {
        let codes: Set = ["activation-unconfirmed", "version-mismatch", "bootloader-not-found"]
        return Self.rows.reduce(into: codes) { $0.formUnion($1.mayFail) }
    }
}

extension Fault {
    /// Any fault, somewhere in such an update.
    fileprivate static func any(_ counts: KBeaconColumn.Counts, _ random: inout Seed) -> Fault {
        let packet = Int.random(in: 1...counts.nordic.packets, using: &random)
        let notification = Int.random(in: 1...counts.nordic.others, using: &random)
        let (step, handshake) = (Int.random(in: 1...4, using: &random), Int.random(in: 1...3, using: &random))
        let value = Int.random(in: 1...8, using: &random)
        switch Int.random(in: 0..<11, using: &random) {
        case 0: return .cut(beforePacket: packet)
        case 1: return .cut(afterPacket: packet)
        case 2: return .loseNotification(notification)
        case 3: return .doubleNotification(notification)
        case 4: return .delayNotification(notification, by: .seconds(step))
        case 5: return .kbeacon(.silence(afterStep: step, ofHandshake: handshake))
        case 6: return .kbeacon(.cut(afterStep: step, ofHandshake: handshake))
        case 7: return .kbeacon(.refuseDigest(handshake))
        case 8: return .kbeacon(.refuseCommand(value, cause: 0x010C))
        case 9: return .kbeacon(.cutAnswer(value, to: step))
        default: return .kbeacon(.flipAnswer(value, fromEnd: step))
        }
    }
}
