import Bluetooth
import Identity

/// The trigger for which a KKM beacon advertises the configured UUID plus this number, while the trigger's advertising
/// lasts (iOS SDK instructions, 4.3.4).
package enum IBeaconTrigger: UInt8, CaseIterable, Sendable {
    case motion = 1
    case click = 5
    case doubleClick = 6
    case tripleClick = 7
    case longPress = 8

    /// The trigger that changes `configured` to `seen`; nil if there is none, or if either is not an iBeacon.
    init?(of configured: ProximityIdentity.Number, seenAs seen: ProximityIdentity.Number) {
        guard case .iBeacon(let uuid, let major, let minor) = configured,
            case .iBeacon(let seenUUID, major, minor) = seen,
            let match = Self.allCases.first(where: { seenUUID.bytes == Self.sum(uuid.bytes, $0.rawValue) })
        else { return nil }
        self = match
    }

    /// The trigger's name in messages.
    package var words: String {
        switch self {
        case .motion: "motion"
        case .click: "a click"
        case .doubleClick: "a double click"
        case .tripleClick: "a triple click"
        case .longPress: "a long press"
        }
    }

    /// `uuid` as a number of 128 bits, plus `offset`.
    private static func sum(_ uuid: [UInt8], _ offset: UInt8) -> [UInt8] {
        var sum = uuid
        var carry = offset
        for index in sum.indices.reversed() {
            let (value, hasOverflown) = sum[index].addingReportingOverflow(carry)
            sum[index] = value
            carry = hasOverflown ? 1 : 0
        }
        return sum
    }
}
