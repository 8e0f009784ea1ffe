import Simulation
package import TestSupport

extension FBeaconColumn {
    package func anyTrouble(_ counts: Counts, _ random: inout Seed) -> FBeaconTrouble {
        FBeaconTrouble((0..<Int.random(in: 1...3, using: &random)).map { _ in .any(counts, &random) })
    }

    package func mayFail(under trouble: FBeaconTrouble) -> Set<String> {
        Self.rows.reduce(into: ["link-lost", "no-answer", "activation-unconfirmed"]) {
            $0.formUnion($1.mayFail)
        }
    }
}

extension Fault {
    /// Any fault, somewhere in such an upgrade.
    fileprivate static func any(_ counts: FBeaconColumn.Counts, _ random: inout Seed) -> Fault {
        let packet = Int.random(in: 1...counts.packets, using: &random)
        let notification = Int.random(in: 1...counts.notifications, using: &random)
        let block = Int.random(in: 1...counts.blocks, using: &random)
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return .cut(beforePacket: packet)
        case 1: return .cut(afterPacket: packet)
        case 2: return .loseNotification(notification)
        case 3: return .doubleNotification(notification)
        case 4:
            return .delayNotification(
                notification, by: .milliseconds(Int.random(in: 1...5000, using: &random)))
        case 5: return .reorderNotification(notification)
        case 6: return .powerLoss(afterPacket: packet)
        case 7: return .silence(fromPacket: packet)
        case 8: return .fbeacon(.cutInPacket(block))
        case 9: return .fbeacon(.refusePacket(block))
        case 10: return .fbeacon(.floodRefusals(block))
        case 11: return .fbeacon(.loseAnswer(block))
        case 12: return .fbeacon(.cancelAtPacket(block))
        default: return .fbeacon(.ignoreEnd(1))
        }
    }
}
