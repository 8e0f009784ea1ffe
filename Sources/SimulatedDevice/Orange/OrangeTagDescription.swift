import BluetoothTypes
import ByteCoding

/// A Beacon Tag of Orange's whose settings can be changed: what it is, and what is in it at first.
public struct OrangeTagDescription: Sendable {
    /// What it sends, and what Device Information says. Its identity and its period are settings from the factory, too.
    public var advertiser: AdvertiserDescription
    /// What the Battery Service says, in percent.
    public var battery: UInt8 = 100
    /// The longest packet that it agrees on. Chips of its time have no other.
    public var maximumMTU = 23
    /// The values of its characteristics from the factory; a tag without one has no such characteristic.
    public var values: [OrangeTagPart: [UInt8]]
    /// Those that it does not let be read.
    public var unreadable: Set<OrangeTagPart> = []
    /// Those that it does not let be written. Orange's own libraries write neither UUID nor major nor minor.
    public var fixed: Set<OrangeTagPart> = []

    /// A tag that advertises as `advertiser` does, and has Orange's default settings otherwise.
    public init(_ advertiser: AdvertiserDescription) {
        self.advertiser = advertiser
        let identity = advertiser.plan.advertiser.standard
        let units = UInt16(
            clamping: advertiser.plan.period.nanoseconds / OrangeTagPart.intervalUnit.nanoseconds)
        values = [
            .uuid: identity.uuid.bytes, .major: [UInt8](identity.major, .little),
            .minor: [UInt8](identity.minor, .little), .interval: [UInt8](units, .little), .power: [0],
            .sleep: [0, 0], .temperature: [0, 15, 25],
            .acceleration: [0] + [UInt8](Float(0.980665).bitPattern, .little), .angular: [0, 0, 0, 0, 0],
        ]
    }
}

/// A value of a tag's that can be set, by the name that scenarios have for it.
public enum OrangeTagPart: String, CaseIterable, Sendable {
    case uuid, major, minor, interval, power, sleep, temperature, acceleration, angular

    /// Whether it belongs to the service that some tags do not have.
    var isForWaking: Bool {
        switch self {
        case .uuid, .major, .minor, .interval, .power: false
        case .sleep, .temperature, .acceleration, .angular: true
        }
    }

    /// Its characteristic.
    var characteristic: BluetoothUUID {
        switch self {
        case .uuid: AttributeTable.orangeTag(0x0A00)
        case .minor: AttributeTable.orangeTag(0x0A01)
        case .major: AttributeTable.orangeTag(0x0A02)
        case .interval: AttributeTable.orangeTag(0x0A04)
        case .power: AttributeTable.orangeTag(0x0A05)
        case .sleep: AttributeTable.orangeTag(0x0A07)
        case .temperature: AttributeTable.orangeTag(0x0A08)
        case .angular: AttributeTable.orangeTag(0x0A09)
        case .acceleration: AttributeTable.orangeTag(0x0A0B)
        }
    }

    /// What the interval counts in.
    static let intervalUnit = Duration.microseconds(625)
}

/// A fault to order of a tag's settings. All numbers count from 1 over its life.
public enum OrangeTagFault: Hashable, Sendable {
    /// This write, which may be right, is refused with an error of the application's.
    case refuseWrite(Int)
    /// This write is acknowledged, and not kept.
    case forgetWrite(Int)
}
