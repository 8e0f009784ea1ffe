import Bluetooth
import Bytes

/// A beacon by Kontakt: classic, or with the secure profile.
struct KontaktAdvertiser: Advertiser {
    /// The place of the identifier.
    enum Format: String, CaseIterable, Sendable {
        /// In the scan response.
        case classic
        /// In a separate frame.
        case plain
        /// In a separate frame, shuffled.
        case shuffled
    }

    var name = "Kontakt"
    var standard: StandardIdentity
    var format: Format
    /// Kontakt's identifier: four characters in a scan response, six in frames.
    var id: String
    var model: UInt8 = 6
    var version: TwoPartVersion
    /// The battery level in percent.
    var battery: UInt8 = 100
    /// The TX power in dBm.
    var txPower: Int8 = 4
    var isMoving = false
    /// The records of its telemetry: each a number and its value, without the length.
    var records: [[UInt8]]?

    /// Whether it disconnects a central that writes no password; nil if that depends on the version.
    var locksOut: Bool?

    init(address: DeviceAddress, _ format: Format) {
        self.format = format
        standard = StandardIdentity(address: address)
        id = format == .classic ? "abcd" : "abcdef"
        version = format == .classic ? TwoPartVersion(4, 2) : TwoPartVersion(1, 15)
    }

    static let ownFrames: [FrameName] = [
        .kontaktPlain, .kontaktShuffled, .kontaktTelemetry, .kontaktLocation,
    ]

    var usualFrames: [FrameName] {
        switch format {
        case .classic: [.iBeacon]
        case .plain: [.kontaktPlain, .iBeacon, .kontaktTelemetry]
        case .shuffled: [.kontaktShuffled, .kontaktTelemetry]
        }
    }

    func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
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

    func scanResponse(at moment: AdvertisingMoment) -> AdvertisedFrame? {
        guard format == .classic else { return nameStructures.first.map { AdvertisedFrame($0) } }
        return AdvertisedFrame(
            nameStructures + [.txPower(txPower)],
            .service(0xD00D, Array(id.utf8) + [version.major, version.minor, battery]))
    }

    /// Up to version 3.1, it requires a password within 30 s; without one, it disconnects and refuses links for 20 min.
    var lockout: AdvertiserDescription.Lockout? {
        let isOld = format == .classic && (version.major, version.minor) <= (3, 1)
        return locksOut ?? isOld ? AdvertiserDescription.Lockout() : nil
    }

    private func own(_ data: [UInt8]) -> AdvertisedFrame { AdvertisedFrame([.flags], .service(0xFE6A, data)) }

    /// The beacon's clock in Unix seconds, which starts at 14 November 2023.
    private func clock(at moment: AdvertisingMoment) -> [UInt8] {
        (1_700_000_000 &+ UInt32(clamping: moment.elapsed.components.seconds)).bytes()
    }

    init(reading entry: inout BeaconEntry) throws(YAMLProblem) {
        let format: Format = try entry["format"]?.choice() ?? .classic
        self.init(address: entry.address, format)
        if let value = entry["id"] {
            id = try value.text()
            guard (1...12).contains(id.utf8.count), id.utf8.allSatisfy({ $0 < 0x80 }) else {
                throw value.problem("an id must have 1 to 12 ASCII characters")
            }
        }
        model = try entry.number("model") ?? model
        version = try entry["version"]?.twoParts() ?? version
        battery = try entry.number("battery") ?? battery
        txPower = try entry.number("tx_power") ?? txPower
        isMoving = try entry.truth("moving") ?? isMoving
        locksOut = try entry.truth("locks_out")
        records = try entry["records"]?.list().map { (value) throws(YAMLProblem) in try value.bytes() }
    }
}

extension FrameName {
    static let kontaktPlain = FrameName("kontakt-plain")
    static let kontaktShuffled = FrameName("kontakt-shuffled")
    static let kontaktTelemetry = FrameName("kontakt-telemetry")
    static let kontaktLocation = FrameName("kontakt-location")
}
