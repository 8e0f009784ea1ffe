public import BluetoothTypes

/// What Orange Beacon Tags are spoken to over (orange-beacon-tag.md, Attributes).
public enum OrangeTagService {
    /// Who a tag is and how it advertises. It lists this service while it takes connections.
    public static let uuid = own(0x0800)
    /// What wakes a tag; some have no such service.
    static let waking = own(0x0802)
    static let firmwareRevision = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A26))

    static func own(_ number: UInt16) -> BluetoothUUID {
        BluetoothUUID(high: 0x59EC_0000_0B1E_4063 | UInt64(number) << 32, low: 0x8B16_B00B_50AA_3A7E)
    }
}

/// A characteristic with settings, in the order in which they are written: what a tag may keep to itself comes first, so that a
/// refusal leaves everything as it was.
enum OrangeTagValue: CaseIterable, Sendable {
    case uuid, major, minor, interval, power, sleep, temperature, acceleration, angular

    var characteristic: Characteristic {
        switch self {
        case .uuid: Self.basic(0x0A00)
        case .minor: Self.basic(0x0A01)
        case .major: Self.basic(0x0A02)
        case .interval: Self.basic(0x0A04)
        case .power: Self.basic(0x0A05)
        case .sleep: Self.waking(0x0A07)
        case .temperature: Self.waking(0x0A08)
        case .angular: Self.waking(0x0A09)
        case .acceleration: Self.waking(0x0A0B)
        }
    }

    private static func basic(_ number: UInt16) -> Characteristic {
        Characteristic(OrangeTagService.uuid, OrangeTagService.own(number))
    }

    private static func waking(_ number: UInt16) -> Characteristic {
        Characteristic(OrangeTagService.waking, OrangeTagService.own(number))
    }

    /// The settings in its value, first to last. Of the sleep there are two forms, which differ in length.
    var layouts: [[OrangeTagSettings.Key]] {
        switch self {
        case .uuid: [[.uuid]]
        case .major: [[.major]]
        case .minor: [[.minor]]
        case .interval: [[.interval]]
        case .power: [[.power]]
        case .sleep: [[.sleep], [.sleepSwitch, .sleep]]
        case .temperature: [[.temperatureSwitch, .temperatureLower, .temperatureUpper]]
        case .acceleration: [[.accelerationSwitch, .acceleration]]
        case .angular: [[.angularSwitch, .angular]]
        }
    }

    /// Whether `key` may stand in its value.
    func has(_ key: OrangeTagSettings.Key) -> Bool { layouts.contains { $0.contains(key) } }

    /// Where a value stands that has none of its layouts.
    var unread: OrangeTagSettings.Key { layouts[0][0] }
}
