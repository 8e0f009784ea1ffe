package import SimulatedDevice

/// What one upgrade of a Feasycom beacon has to cope with.
package struct FBeaconTrouble: Sendable, CustomStringConvertible {
    /// What is wrong before anything is sent.
    package enum Circumstance: String, Hashable, Sendable {
        case wrongPIN = "another PIN than ours"
        case otherModel = "another model"
        case oldVersion = "an older version than the container updates"
        case oldBootloader = "an older bootloader than the container wants"
        case noMark = "no mark of open containers"
    }

    package var faults: [Fault]
    package var circumstances: Set<Circumstance> = []

    package init(_ faults: [Fault] = []) { self.faults = faults }

    package init(_ circumstance: Circumstance) { (faults, circumstances) = ([], [circumstance]) }

    package var description: String {
        (faults.map { "\($0)" } + circumstances.map(\.rawValue).sorted()).joined(separator: ", ")
    }

    /// What the client may be driven to. The byte that opens a transfer with sums also means that a packet has to come
    /// again: where it comes twice, that cannot be told. Nor can an answer, which has no number, that comes after its
    /// packet was sent again and the second answer was waited for in vain: a second each.
    var excuses: Set<FBeaconClientError> {
        faults.reduce(into: []) { excuses, fault in
            switch fault {
            case .doubleNotification, .reorderNotification: excuses.insert(.packetBeforeAnswer)
            case .delayNotification(_, let delay) where delay > .seconds(2):
                excuses.insert(.packetBeforeAnswer)
            default: break
            }
        }
    }
}
