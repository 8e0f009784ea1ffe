/// The generation of a KBeacon, which decides the form of its messages (kbeacon.md, Generations).
public enum KBeaconGeneration: Int, CaseIterable, Sendable {
    case first = 1
    case second = 2

    /// The query for the parameters that all beacons have.
    var questionForCommon: KBeaconMessage {
        switch self {
        case .first: KBeaconMessage("getPara", [("stype", .number(32))])
        case .second: KBeaconMessage("getPara", [("type", .number(1))])
        }
    }

    var other: KBeaconGeneration { self == .first ? .second : .first }
}
