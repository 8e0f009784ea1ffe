import BluetoothTypes

/// The numbers by which an iBeacon is known.
struct IBeaconNumbers: Hashable, Sendable {
    /// 16 bytes, most significant first.
    let uuid: [UInt8]
    let major: UInt16
    let minor: UInt16
}

/// Why a beacon of KKM's advertises another UUID than the configured one: that is the configured one plus a number, for as
/// long as the trigger's advertising lasts (iOS SDK instructions, 4.3.4).
enum IBeaconTrigger: UInt8, CaseIterable, Sendable {
    case motion = 1
    case click = 5
    case doubleClick = 6
    case tripleClick = 7
    case longPress = 8

    /// The trigger that makes `seen` of `configured`; nil where none does.
    init?(of configured: IBeaconNumbers, seenAs seen: IBeaconNumbers) {
        guard configured.major == seen.major, configured.minor == seen.minor else { return nil }
        let match = Self.allCases.first { seen.uuid == Self.sum(configured.uuid, $0.rawValue) }
        guard let match else { return nil }
        self = match
    }

    /// For people.
    var words: String {
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

extension AdvertisingData {
    /// The iBeacons in it: company 004C, type 02, length 21: UUID, major and minor most significant byte first.
    var iBeacons: [IBeaconNumbers] {
        elements.compactMap { element in
            guard case .manufacturer(0x004C, let data) = element, data.count >= 23, data[0] == 0x02,
                data[1] == 0x15
            else { return nil }
            return IBeaconNumbers(
                uuid: Array(data[2..<18]), major: UInt16(data[18]) << 8 | UInt16(data[19]),
                minor: UInt16(data[20]) << 8 | UInt16(data[21]))
        }
    }
}
