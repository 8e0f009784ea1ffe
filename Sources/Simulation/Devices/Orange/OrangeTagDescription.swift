import Bluetooth
import Bytes

package struct OrangeTagDescription: Sendable {
    /// What it advertises, and the values of Device Information. Its identity and its period are also the factory
    /// settings.
    package var advertiser: AdvertiserDescription
    package var battery: UInt8 = 100
    /// The largest MTU that it agrees on; older chips support no other.
    package var maximumMTU = 23
    /// The factory values of its characteristics; a part without a value has no characteristic.
    package var values: [OrangeTagPart: [UInt8]]
    package var unreadable: Set<OrangeTagPart> = []
    /// The parts that cannot be written. Orange's own libraries write neither UUID nor major nor minor.
    package var fixed: Set<OrangeTagPart> = []

    package var flashSize: Int { OrangeTagDevice.size }

    package init(_ advertiser: AdvertiserDescription) {
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

package enum OrangeTagPart: String, CaseIterable, Sendable {
    case uuid, major, minor, interval, power, sleep, temperature, acceleration, angular

    /// Whether it belongs to the service that only some tags have.
    var isForWaking: Bool {
        switch self {
        case .uuid, .major, .minor, .interval, .power: false
        case .sleep, .temperature, .acceleration, .angular: true
        }
    }

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

    static let intervalUnit = Duration.microseconds(625)
}

/// An injected fault of a tag's settings. All numbers count from 1 over its life.
public enum OrangeTagFault: Hashable, Sendable {
    /// This write is refused with an application error, even if it is valid.
    case refuseWrite(Int)
    /// This write is acknowledged but not stored.
    case forgetWrite(Int)
}
