public import BluetoothTypes
import ByteCoding

/// A beacon of Kontakt's: classic, or with the secure profile.
public struct KontaktAdvertiser: Advertiser {
    /// Where its identity is.
    public enum Format: String, CaseIterable, Sendable {
        /// In the scan response.
        case classic
        /// In a frame of its own.
        case plain
        /// In a frame of its own, and changing.
        case shuffled
    }

    /// What it is called.
    public var name = "Kontakt"
    /// What it says in the frames that are nobody's own.
    public var standard: StandardIdentity
    /// Where its identity is.
    public var format: Format
    /// What Kontakt calls it: four characters in a scan response, six in frames.
    public var id: String
    /// The number of its model.
    public var model: UInt8 = 6
    /// The version that runs.
    public var version: TwoPartVersion
    /// Its battery in percent.
    public var battery: UInt8 = 100
    /// With how many dBm it sends.
    public var txPower: Int8 = 4
    /// Whether it says that it is moving.
    public var isMoving = false
    /// What its telemetry says: each a number and the value, without the length.
    public var records: [[UInt8]]?

    /// Whether it sends away who writes no password; nil for what its version does.
    public var locksOut: Bool?

    /// A beacon at `address`.
    public init(address: DeviceAddress, _ format: Format) {
        self.format = format
        standard = StandardIdentity(address: address)
        id = format == .classic ? "abcd" : "abcdef"
        version = format == .classic ? TwoPartVersion(4, 2) : TwoPartVersion(1, 15)
    }

    /// Those of its maker.
    public static let ownFrames: [FrameName] = [
        .kontaktPlain, .kontaktShuffled, .kontaktTelemetry, .kontaktLocation,
    ]

    /// What it sends from the factory.
    public var usualFrames: [FrameName] {
        switch format {
        case .classic: [.iBeacon]
        case .plain: [.kontaktPlain, .iBeacon, .kontaktTelemetry]
        case .shuffled: [.kontaktShuffled, .kontaktTelemetry]
        }
    }

    /// What it sends as `frame`.
    public func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        let state = [model, version.major, version.minor, battery, UInt8(bitPattern: txPower)]
        switch frame {
        case .kontaktShuffled:
            let id = standard.changing(standard.namespace + standard.instance, at: moment)
            return own([0x01] + state + id)
        case .kontaktPlain: return own([0x02] + state + id.utf8)
        case .kontaktTelemetry:
            let records = records ?? [[0x01] + clock(at: moment) + [battery]]
            return own([0x03] + records.flatMap { [UInt8(clamping: $0.count)] + $0 })
        case .kontaktLocation:
            return own([0x05, UInt8(bitPattern: txPower), 37, model, isMoving ? 1 : 0] + id.utf8)
        default: return standard.payload(of: frame, at: moment)
        }
    }

    /// What it answers to who asks for more.
    public func scanResponse(at moment: AdvertisingMoment) -> AdvertisedFrame? {
        let title = name.isEmpty ? [] : [ADStructure.name(name)]
        guard format == .classic else { return title.first.map { AdvertisedFrame($0) } }
        return AdvertisedFrame(
            title + [.txPower(txPower)],
            .service(0xD00D, Array(id.utf8) + [version.major, version.minor, battery]))
    }

    /// Up to 3.1 it wants a password within 30 s, else nobody is let in for 20 min.
    public var lockout: AdvertiserDescription.Lockout? {
        let isOld = format == .classic && (version.major, version.minor) <= (3, 1)
        return locksOut ?? isOld ? AdvertiserDescription.Lockout() : nil
    }

    private func own(_ data: [UInt8]) -> AdvertisedFrame { AdvertisedFrame([.flags], .service(0xFE6A, data)) }

    /// Unix time: it is always 14 November 2023 when it comes up.
    private func clock(at moment: AdvertisingMoment) -> [UInt8] {
        [UInt8](1_700_000_000 &+ UInt32(clamping: moment.elapsed.components.seconds), .little)
    }
}
