import Bluetooth

/// The attributes of Orange Beacon Tags (orange-beacon-tag.md, Attributes).
enum OrangeTagService {
    /// The service for a tag's identity and advertising. A tag advertises it while it is connectable.
    static let uuid = uuid(0x0800)
    /// The service for a tag's sleep and wake-up settings; some tags do not have it.
    static let waking = uuid(0x0802)

    static func uuid(_ number: UInt16) -> BluetoothUUID {
        BluetoothUUID(high: 0x59EC_0000_0B1E_4063 | UInt64(number) << 32, low: 0x8B16_B00B_50AA_3A7E)
    }
}

/// The value of a characteristic, with the layouts that it may have.
struct OrangeTagValue: Equatable, Sendable {
    let characteristic: Characteristic
    /// The possible layouts of the value, each with its settings from first to last.
    let layouts: [[OrangeTagSettings.Key]]

    private init(_ number: UInt16, of service: BluetoothUUID, _ layouts: [OrangeTagSettings.Key]...) {
        characteristic = Characteristic(service, OrangeTagService.uuid(number))
        self.layouts = layouts
    }

    static let uuid = OrangeTagValue(0x0A00, of: OrangeTagService.uuid, [.uuid])
    static let temperature = OrangeTagValue(
        0x0A08, of: OrangeTagService.waking, [.temperatureSwitch, .temperatureLower, .temperatureUpper])

    /// All values in writing order: those that a tag may refuse come first, so that a refusal leaves all unchanged.
    static let all = [
        uuid,
        OrangeTagValue(0x0A02, of: OrangeTagService.uuid, [.major]),
        OrangeTagValue(0x0A01, of: OrangeTagService.uuid, [.minor]),
        OrangeTagValue(0x0A04, of: OrangeTagService.uuid, [.interval]),
        OrangeTagValue(0x0A05, of: OrangeTagService.uuid, [.power]),
        // The sleep setting has two forms, which differ in length.
        OrangeTagValue(0x0A07, of: OrangeTagService.waking, [.sleep], [.sleepSwitch, .sleep]),
        temperature,
        OrangeTagValue(0x0A0B, of: OrangeTagService.waking, [.accelerationSwitch, .acceleration]),
        OrangeTagValue(0x0A09, of: OrangeTagService.waking, [.angularSwitch, .angular]),
    ]

    func has(_ key: OrangeTagSettings.Key) -> Bool { layouts.contains { $0.contains(key) } }

    /// The key under which bytes that match no layout are kept.
    var unparsedKey: OrangeTagSettings.Key { layouts[0][0] }
}
