package import Simulation

/// The faults of one upgrade of a Feasycom beacon.
package struct FBeaconTrouble: Sendable, CustomStringConvertible {
    /// The initial conditions.
    package enum Circumstance: String, Hashable, Sendable {
        case wrongPIN = "another PIN than ours"
        case otherModel = "another model"
        case oldVersion = "an older version than the container updates"
        case oldBootloader = "an older bootloader than the container requires"
        case noMark = "no mark of open containers"
    }

    package var faults: [Fault]
    package var circumstances: Set<Circumstance> = []

    package init(_ faults: [Fault] = []) { self.faults = faults }

    package init(_ circumstance: Circumstance) { (faults, circumstances) = ([], [circumstance]) }

    package var description: String {
        (faults.map { "\($0)" } + circumstances.map(\.rawValue).sorted()).joined(separator: ", ")
    }

    /// Client errors that a fault can cause. The byte that opens a transfer with sums also requests a packet again: if
    /// it comes twice, the two cannot be distinguished. Neither can an answer, which has no number, that comes after
    /// its packet was sent again and the wait for the second answer has timed out, a second each.
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
