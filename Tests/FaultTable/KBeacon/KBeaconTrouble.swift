package import Simulation

/// The faults of one update of a KBeacon.
package struct KBeaconTrouble: Sendable, CustomStringConvertible {
    package var faults: [Fault]
    /// Whether the client has another password than the beacon.
    package var hasWrongPassword = false

    package init(_ faults: [Fault] = []) { self.faults = faults }

    package var description: String {
        (faults.map { "\($0)" } + (hasWrongPassword ? ["the wrong password"] : [])).joined(separator: ", ")
    }

    /// Client errors that wrong answers of a beacon can cause. After a lost or late answer the client asks in the other
    /// generation's format, over the same session, and acknowledges what comes late.
    var excuses: Set<KBeaconRule> {
        faults.reduce(into: []) { excuses, fault in
            switch fault {
            case .kbeacon(.flipAnswer), .kbeacon(.cutAnswer), .reorderNotification:
                excuses.formUnion(KBeaconRule.allCases)
            case .loseNotification, .delayNotification:
                excuses.formUnion([.commandDuringAnswer, .unaskedAcknowledgement])
            default: break
            }
        }
    }
}
