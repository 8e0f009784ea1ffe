import Bluetooth
import Bytes

/// A KBeacon by KKM, of either generation.
struct KKMAdvertiser: Advertiser {
    /// The type of data that carries KKM's frames.
    enum Carrier: String, CaseIterable, Sendable {
        /// Service data of Eddystone.
        case eddystone
        /// Manufacturer data of KKM's company number, 0x0A53.
        case company
    }

    /// The content of the scan response in addition to the battery.
    enum Extension: String, CaseIterable, Sendable {
        /// The major and minor number of the beacon's iBeacon frame.
        case identity
        /// The last three bytes of its address.
        case address
        /// The battery alone.
        case battery
        /// The name alone, without the battery.
        case none
    }

    /// A trigger. Its number is added to the UUID of the iBeacon.
    enum Trigger: UInt8, Sendable {
        case motion = 1
        case click = 5
        case doubleClick = 6
        case tripleClick = 7
        case longPress = 8
    }

    /// A period during which a trigger is active.
    struct Span: Hashable, Sendable {
        var trigger: Trigger
        /// The start, as a time since the beacon started.
        var start: Duration
        var length: Duration
    }

    let address: DeviceAddress
    var name = "KBPro_000000"
    var standard: StandardIdentity
    /// The generation, 1 or 2.
    var generation = 2
    /// The model number in the system frame.
    var model: UInt8 = 5
    var version = TwoPartVersion(6, 20)
    /// The battery byte; genuine beacons report up to 109.
    var battery: UInt8 = 100
    /// The sensor values other than voltage and temperature.
    var readings = KKMReadings()
    var carrier = Carrier.eddystone
    var scanExtension = Extension.identity
    var triggers: [Span] = []
    var sendsOnlyTriggered = false
    /// The TX power in dBm in the direction-finding frame; one of `directionPowers`.
    var directionPower: Int8 = 0

    init(address: DeviceAddress) {
        self.address = address
        standard = StandardIdentity(address: address)
        standard.temperature = 21.5
    }

    static let ownFrames: [FrameName] = [.kkmSystem, .kkmSensor, .kkmEncryptedSensor, .kkmEBeacon, .kkmAOA]

    /// The factory frames; the first generation has no system frame.
    var usualFrames: [FrameName] {
        generation == 1
            ? [.iBeacon, .kkmSensor, .eddystoneTLM] : [.kkmSystem, .iBeacon, .kkmSensor, .eddystoneTLM]
    }

    func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        let trigger = triggers.last { $0.start <= moment.elapsed && moment.elapsed < $0.start + $0.length }?
            .trigger
        guard trigger != nil || !sendsOnlyTriggered else { return nil }
        switch frame {
        case .iBeacon: return standard.iBeacon(standard.uuid.adding(trigger?.rawValue ?? 0))
        case .kkmSystem: return own([0x22, model, battery] + address.bytes + [version.major, version.minor])
        case .kkmSensor: return own([0x21] + readings.payload(standard, generation))
        case .kkmEncryptedSensor:
            let mask = readings.mask(standard, generation).bytes(.big)
            let data = [0x06] + mask + StandardIdentity.secret(16) + clock(at: moment)
            // A list of services would not fit next to the data.
            return carrier == .company ? company(data) : AdvertisedFrame([.flags], .service(0xFEAA, data))
        case .kkmEBeacon:
            let identity = [16] + StandardIdentity.secret(16) + clock(at: moment)
            return company([0x03] + identity + [UInt8(bitPattern: standard.measuredPower)])
        case .kkmAOA:
            // Channel 1; the battery in tens of percent.
            let power = Self.directionPowers.firstIndex(of: directionPower) ?? 0
            let tens = UInt8(min(battery, 100) / 10)
            return company([0x04, 0x00, UInt8(truncatingIfNeeded: power) << 4 | 1, tens << 4])
        default: return standard.payload(of: frame, at: moment)
        }
    }

    func scanResponse(at moment: AdvertisingMoment) -> AdvertisedFrame? {
        let rest: [UInt8]
        switch scanExtension {
        case .none: return nameStructures.first.map { AdvertisedFrame($0) }
        case .identity: rest = [0x04] + standard.major.bytes(.big) + standard.minor.bytes(.big)
        case .address: rest = [0x00, 0x01] + address.bytes.suffix(3)
        case .battery: rest = [0x01, 0, 0, 0, 0]
        }
        return AdvertisedFrame([], .service(0x2080, [battery] + rest), nameStructures)
    }

    /// Telemetry is every tenth frame.
    var telemetryEvery: Int? { 10 }

    var information: [UInt16: [UInt8]] {
        [
            0x2A23: address.bytes.reversed(), 0x2A24: Array("KBeacon".utf8),
            0x2A26: Array("V\(version.text)".utf8),
        ]
    }

    /// The TX powers that the direction-finding frame can encode.
    static let directionPowers: [Int8] = [0, 3, 4, -40, -20, -16, -12, -8, -4, -30]

    private func own(_ data: [UInt8]) -> AdvertisedFrame {
        carrier == .company
            ? company(data)
            : AdvertisedFrame([.flags, .service(BluetoothUUID(0xFEAA))], .service(0xFEAA, data))
    }

    private func company(_ data: [UInt8]) -> AdvertisedFrame {
        AdvertisedFrame([.flags], .company(0x0A53, data))
    }

    /// The beacon's clock in seconds since the start: no client has set it.
    private func clock(at moment: AdvertisingMoment) -> [UInt8] {
        UInt32(clamping: moment.elapsed.components.seconds).bytes(.big)
    }
}

extension BluetoothUUID {
    /// The UUID plus `step`, as a 128-bit number.
    fileprivate func adding(_ step: UInt8) -> BluetoothUUID {
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        let (low, carries) = number(bytes[8...]).addingReportingOverflow(UInt64(step))
        return BluetoothUUID(high: number(bytes[..<8]) &+ (carries ? 1 : 0), low: low)
    }
}

extension KKMAdvertiser {
    init(reading entry: inout BeaconEntry) throws(YAMLProblem) {
        self.init(address: entry.address)
        generation = try entry.number("generation", in: 1...2) ?? generation
        model = try entry.number("model") ?? model
        version = try entry["version"]?.twoParts() ?? version
        battery = try entry.number("battery") ?? battery
        carrier = try entry["carrier"]?.choice() ?? carrier
        scanExtension = try entry["extended"]?.choice() ?? scanExtension
        sendsOnlyTriggered = try entry.truth("only_triggered") ?? sendsOnlyTriggered
        for value in try entry["triggers"]?.list() ?? [] { triggers.append(try Self.span(value)) }
        if let value = entry["direction_power"] {
            directionPower = try value.number()
            guard Self.directionPowers.contains(directionPower) else {
                let list = Self.directionPowers.sorted().map(String.init).joined(separator: ", ")
                throw value.problem("direction_power must be one of \(list)")
            }
        }
        try readings.read(&entry)
    }

    private static func span(_ value: YAMLValue) throws(YAMLProblem) -> Span {
        let values = try value.values(of: ["trigger", "at_s", "for_s"])
        let triggers: [String: Trigger] = [
            "motion": .motion, "click": .click, "double-click": .doubleClick, "triple-click": .tripleClick,
            "long-press": .longPress,
        ]
        return Span(
            trigger: try value.required("trigger", in: values).choice(of: triggers),
            start: try values["at_s"]?.seconds() ?? .zero,
            length: try values["for_s"]?.seconds() ?? .seconds(10))
    }
}

extension FrameName {
    static let kkmSystem = FrameName("kkm-system")
    static let kkmSensor = FrameName("kkm-sensor")
    static let kkmEncryptedSensor = FrameName("kkm-encrypted-sensor")
    static let kkmEBeacon = FrameName("kkm-ebeacon")
    static let kkmAOA = FrameName("kkm-aoa")
    static let kkmOld = FrameName("kkm-old")
}

/// A KBeacon from before 2019, with a proprietary service.
struct OldKKMAdvertiser: Advertiser {
    var name = "KBeacon"
    var standard: StandardIdentity

    init(address: DeviceAddress) { standard = StandardIdentity(address: address) }

    static let ownFrames: [FrameName] = [.kkmOld]
    var usualFrames: [FrameName] { [.iBeacon, .kkmOld] }

    func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        guard frame == .kkmOld else { return standard.payload(of: frame, at: moment) }
        return AdvertisedFrame([.flags], .service(Self.service))
    }

    /// The beacon's proprietary service, which has no characteristics.
    var services: [AttributeTable.Service] { [AttributeTable.Service(Self.service, [])] }

    private static let service = BluetoothUUID(high: 0xEE0C_2080_8786_40BA, low: 0xAB96_99B9_1AC9_81D8)
}
