import Bluetooth
package import Firmware
import UpdateModel

/// An event for which a KKM beacon advertises for a while: meanwhile it adds this number to its configured UUID (iOS SDK
/// instructions, 4.3.4).
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

extension DeviceSelector {
    /// Why `beacon` advertises another iBeacon identity than the selected one; nil if it is not the selected beacon.
    package func trigger(of beacon: BeaconSighting) -> IBeaconTrigger? {
        // Only KKM's beacons change their UUID; consecutive UUIDs of others may be configured on purpose.
        guard case .iBeacon(let wanted) = self, beacon.identity.family.changesUUID else { return nil }
        return beacon.identity.numbers.compactMap { IBeaconTrigger(of: wanted, seenAs: $0.number) }.first
    }
}
