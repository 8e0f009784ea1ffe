public import BluetoothTypes

/// A KBeacon of KKM's, of either generation.
public struct KKMAdvertiser: Advertiser {
    /// Whose data its own frames are.
    public enum Carrier: String, CaseIterable, Sendable {
        /// Data of Eddystone's service.
        case eddystone
        /// Data of KKM's own number, 0A53.
        case company
    }

    /// What the scan response says beside the battery.
    public enum Extension: String, CaseIterable, Sendable {
        /// Major and minor of its iBeacon.
        case identity
        /// The last three bytes of its address.
        case address
        /// Nothing.
        case battery
        /// Not even the battery: the name alone.
        case none
    }

    /// What moved it, and how far its iBeacon's UUID moves with that.
    public enum Trigger: String, CaseIterable, Sendable {
        /// It was moved.
        case motion
        /// Its button was pressed once.
        case click
        /// Twice.
        case doubleClick = "double-click"
        /// Three times.
        case tripleClick = "triple-click"
        /// For long.
        case longPress = "long-press"

        /// What is added to the UUID.
        var offset: UInt8 {
            switch self {
            case .motion: 1
            case .click: 5
            case .doubleClick: 6
            case .tripleClick: 7
            case .longPress: 8
            }
        }
    }

    /// A while in which a trigger shows.
    public struct Span: Hashable, Sendable {
        /// Which one.
        public var trigger: Trigger
        /// From when, after the beacon came up.
        public var start: Duration
        /// For how long.
        public var length: Duration

        /// A while that begins `start` after the beacon came up.
        public init(_ trigger: Trigger, at start: Duration, for length: Duration) {
            self.trigger = trigger
            self.start = start
            self.length = length
        }
    }

    /// Its address, which its own frames say.
    public let address: DeviceAddress
    /// What it is called.
    public var name = "KBPro_000000"
    /// What it says in the frames that are nobody's own.
    public var standard: StandardIdentity
    /// 1 or 2.
    public var generation = 2
    /// The number of its model, in the system frame.
    public var model: UInt8 = 5
    /// The version that runs.
    public var version = TwoPartVersion(6, 20)
    /// The byte for its battery; genuine ones say up to 109.
    public var battery: UInt8 = 100
    /// What its sensors say, beside voltage and temperature.
    public var readings = KKMReadings()
    /// Whose data its own frames are.
    public var carrier = Carrier.eddystone
    /// What its scan response says.
    public var scanExtension = Extension.identity
    /// When which trigger shows.
    public var triggers: [Span] = []
    /// Whether it is silent while none does.
    public var sendsOnlyTriggered = false
    /// With how many dBm it sends, in the frame for finding directions; one of those that this frame knows.
    public var directionPower: Int8 = 0

    /// A beacon at `address`.
    public init(address: DeviceAddress) {
        self.address = address
        standard = StandardIdentity(address: address)
        standard.temperature = 21.5
    }

    /// Those of its maker.
    public static let ownFrames: [FrameName] = [
        .kkmSystem, .kkmSensor, .kkmEncryptedSensor, .kkmEBeacon, .kkmAOA,
    ]

    /// The first generation has no system frame.
    public var usualFrames: [FrameName] {
        generation == 1
            ? [.iBeacon, .kkmSensor, .eddystoneTLM] : [.kkmSystem, .iBeacon, .kkmSensor, .eddystoneTLM]
    }

    /// What it sends as `frame`.
    public func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        let trigger = triggers.last { $0.start <= moment.elapsed && moment.elapsed < $0.start + $0.length }?
            .trigger
        guard trigger != nil || !sendsOnlyTriggered else { return nil }
        switch frame {
        case .iBeacon: return standard.iBeacon(standard.uuid.adding(trigger?.offset ?? 0))
        case .kkmSystem:
            return own([0x22, model, battery] + address.bytes + [version.major, version.minor])
        case .kkmSensor: return own([0x21] + readings.payload(standard, generation))
        case .kkmEncryptedSensor:
            let mask = [UInt8](readings.mask(standard, generation))
            let data = [0x06] + mask + StandardIdentity.secret(16) + clock(at: moment)
            // There is no room for a list of services beside it.
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

    /// What it answers to who asks for more.
    public func scanResponse(at moment: AdvertisingMoment) -> AdvertisedFrame? {
        let title = name.isEmpty ? [] : [ADStructure.name(name)]
        let rest: [UInt8]
        switch scanExtension {
        case .none: return title.first.map { AdvertisedFrame($0) }
        case .identity: rest = [0x04] + [UInt8](standard.major) + [UInt8](standard.minor)
        case .address: rest = [0x00, 0x01] + address.bytes.suffix(3)
        case .battery: rest = [0x01, 0, 0, 0, 0]
        }
        return AdvertisedFrame([], .service(0x2080, [battery] + rest), title)
    }

    /// Every tenth.
    public var telemetryEvery: Int? { 10 }

    /// What Device Information says.
    public var information: [UInt16: [UInt8]] {
        [
            0x2A23: address.bytes.reversed(), 0x2A24: Array("KBeacon".utf8),
            0x2A26: Array("V\(version.text)".utf8),
        ]
    }

    /// The powers that the frame for finding directions has numbers for.
    public static let directionPowers: [Int8] = [0, 3, 4, -40, -20, -16, -12, -8, -4, -30]

    private func own(_ data: [UInt8]) -> AdvertisedFrame {
        carrier == .company
            ? company(data)
            : AdvertisedFrame([.flags, .service(BluetoothUUID(0xFEAA))], .service(0xFEAA, data))
    }

    private func company(_ data: [UInt8]) -> AdvertisedFrame {
        AdvertisedFrame([.flags], .company(0x0A53, data))
    }

    /// Seconds, as its clock has them: it was never set.
    private func clock(at moment: AdvertisingMoment) -> [UInt8] {
        [UInt8](UInt32(clamping: moment.elapsed.components.seconds))
    }
}

extension BluetoothUUID {
    /// The UUID that is `step` further, as a number of 128 bits.
    fileprivate func adding(_ step: UInt8) -> BluetoothUUID {
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        let (low, carries) = number(bytes[8...]).addingReportingOverflow(UInt64(step))
        return BluetoothUUID(high: number(bytes[..<8]) &+ (carries ? 1 : 0), low: low)
    }
}
