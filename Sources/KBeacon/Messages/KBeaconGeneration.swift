/// Which of the two kinds of messages a KBeacon understands (kbeacon.md, Generations).
public enum KBeaconGeneration: Int, CaseIterable, Sendable {
    case first = 1
    case second = 2

    /// Asks for what all beacons have.
    var questionForCommon: KBeaconMessage {
        switch self {
        case .first: KBeaconMessage("getPara", [("stype", .number(32))])
        case .second: KBeaconMessage("getPara", [("type", .number(1))])
        }
    }

    var other: KBeaconGeneration { self == .first ? .second : .first }
}
