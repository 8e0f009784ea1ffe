package import SimulatedDevice

/// What one update of a KBeacon has to cope with.
package struct KBeaconTrouble: Sendable, CustomStringConvertible {
    package var faults: [Fault]
    /// Whether we know another password than the beacon.
    package var hasWrongPassword = false

    package init(_ faults: [Fault] = []) { self.faults = faults }

    package var description: String {
        (faults.map { "\($0)" } + (hasWrongPassword ? ["the wrong password"] : [])).joined(separator: ", ")
    }

    /// What the client may be driven to by a beacon that says what is not so. One whose word is lost or late is asked in the
    /// other generation's words, over the same session, and what comes late is acknowledged.
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
