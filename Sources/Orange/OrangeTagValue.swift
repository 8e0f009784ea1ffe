import Bluetooth

/// The attributes of Orange Beacon Tags (orange-beacon-tag.md, Attributes).
enum OrangeTagService {
    /// A tag's identity and advertising. It lists this service while it is connectable.
    static let uuid = own(0x0800)
    /// The wake-up settings of a tag; some have no such service.
    static let waking = own(0x0802)
    static let firmwareRevision = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A26))

    static func own(_ number: UInt16) -> BluetoothUUID {
        BluetoothUUID(high: 0x59EC_0000_0B1E_4063 | UInt64(number) << 32, low: 0x8B16_B00B_50AA_3A7E)
    }
}

/// A characteristic with settings, in the order of writing: those that a tag may refuse come first, so that a
/// refusal leaves everything unchanged.
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

    /// The settings in its value, first to last. The sleep setting has two forms, which differ in length.
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

    /// Whether its value may contain `key`.
    func has(_ key: OrangeTagSettings.Key) -> Bool { layouts.contains { $0.contains(key) } }

    /// The key for a value that matches none of its layouts.
    var unread: OrangeTagSettings.Key { layouts[0][0] }
}
