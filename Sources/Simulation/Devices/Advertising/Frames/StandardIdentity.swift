public import Bluetooth
import Bytes

/// The values in the frames that belong to no vendor: iBeacon, Eddystone, AltBeacon.
public struct StandardIdentity: Hashable, Sendable {
    /// The UUID of iBeacon and AltBeacon.
    public var uuid = BluetoothUUID(high: 0xE2C5_6DB5_DFFB_48D2, low: 0xB060_D0F5_A710_96E0)
    public var major: UInt16 = 1
    public var minor: UInt16
    /// The signal strength at 1 m, in dBm.
    public var measuredPower: Int8 = -59
    /// The signal strength at 0 m, in dBm, which Eddystone frames contain.
    public var powerAtZero: Int8 = -18
    /// Eddystone's namespace, 10 bytes.
    public var namespace: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    /// Eddystone's instance, 6 bytes.
    public var instance: [UInt8]
    public var url = "https://example.org/"
    /// Eddystone's ephemeral identifier when the beacon starts, 8 bytes.
    public var ephemeralID: [UInt8] = [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]
    /// How long an ephemeral identifier stays the same; nil if it never changes.
    public var idPeriod: Duration?
    /// The battery voltage in mV; 0 for unknown.
    public var batteryMillivolts: UInt16 = 3000
    /// The temperature in °C; nil for unknown.
    public var temperature: Double?
    public var altBeaconCompany: UInt16 = 0x0118

    /// An identity derived from the address, so that no two beacons share it.
    public init(address: DeviceAddress) {
        minor = address.bytes.suffix(2).reduce(0) { $0 << 8 | UInt16($1) }
        instance = address.bytes
    }

    /// One of the standard frames; nil for any other.
    public func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        switch frame {
        case .iBeacon: iBeacon(uuid)
        case .altBeacon:
            AdvertisedFrame([.flags], .company(altBeaconCompany, [0xBE, 0xAC] + proximity(uuid) + [0]))
        case .eddystoneUID: eddystone([0x00, power] + namespace + instance + [0, 0])
        case .eddystoneURL: Self.encoded(url).map { eddystone([0x10, power] + $0) }
        case .eddystoneTLM: eddystone([0x20, 0x00] + telemetry(at: moment))
        case .eddystoneEncryptedTLM: eddystone([0x20, 0x01] + Self.secret(12) + [0x12, 0x34, 0x56, 0x78])
        case .eddystoneEID: eddystone([0x30, power] + changing(ephemeralID, at: moment))
        default: nil
        }
    }

    func iBeacon(_ uuid: BluetoothUUID) -> AdvertisedFrame {
        AdvertisedFrame([.flags], .company(0x004C, [0x02, 0x15] + proximity(uuid)))
    }

    /// The value of the ephemeral identifier `id` at `moment`; unchanged without an `idPeriod`.
    func changing(_ id: [UInt8], at moment: AdvertisingMoment) -> [UInt8] {
        guard let idPeriod, idPeriod > .zero else { return id }
        let round = AdvertisingTimeline(period: idPeriod, phase: .zero).count(through: moment.elapsed) - 1
        return id.map { $0 &+ UInt8(truncatingIfNeeded: round &* 29) }
    }

    /// A placeholder for encrypted bytes, which no receiver can decode.
    static func secret(_ count: Int) -> [UInt8] { (0..<count).map { 0xA0 + UInt8(truncatingIfNeeded: $0) } }

    private var power: UInt8 { UInt8(bitPattern: powerAtZero) }

    private func proximity(_ uuid: BluetoothUUID) -> [UInt8] {
        uuid.bytes + major.bytes(.big) + minor.bytes(.big) + [UInt8(bitPattern: measuredPower)]
    }

    private func eddystone(_ data: [UInt8]) -> AdvertisedFrame {
        AdvertisedFrame([.flags, .service(BluetoothUUID(0xFEAA))], .service(0xFEAA, data))
    }

    /// Battery, temperature, number of frames sent, and time since power-up in 0.1 s.
    private func telemetry(at moment: AdvertisingMoment) -> [UInt8] {
        let degrees = temperature.map { [UInt8](fixed: $0) } ?? [0x80, 0x00]
        let tenths = moment.elapsed.nanoseconds / 100_000_000
        return batteryMillivolts.bytes(.big) + degrees + UInt32(clamping: moment.sent).bytes(.big)
            + UInt32(clamping: tenths).bytes(.big)
    }

    private static let schemes = ["http://www.", "https://www.", "http://", "https://"]
    private static let endings = [
        ".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/", ".com", ".org", ".edu", ".net",
        ".info", ".biz", ".gov",
    ]

    /// A URL in Eddystone's encoding: a byte for the prefix and for each common ending; nil if it cannot be encoded.
    static func encoded(_ url: String) -> [UInt8]? {
        guard let scheme = schemes.firstIndex(where: url.hasPrefix) else { return nil }
        var rest = url.dropFirst(schemes[scheme].count)
        var bytes = [UInt8(truncatingIfNeeded: scheme)]
        while let character = rest.first {
            if let ending = endings.firstIndex(where: rest.hasPrefix) {
                bytes.append(UInt8(truncatingIfNeeded: ending))
                rest = rest.dropFirst(endings[ending].count)
            } else {
                guard let byte = character.asciiValue, (0x21...0x7E).contains(byte) else { return nil }
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return bytes
    }
}

/// A beacon of no particular vendor, with standard frames only.
struct StandardAdvertiser: Advertiser {
    var name = ""
    var standard: StandardIdentity
    let usualFrames: [FrameName]

    init(address: DeviceAddress, _ frames: [FrameName]) {
        standard = StandardIdentity(address: address)
        usualFrames = frames
    }

    func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        standard.payload(of: frame, at: moment)
    }
}
