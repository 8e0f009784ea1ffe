public import BluetoothTypes

/// A Feasycom beacon, whose one frame says everything.
///
///     0   1  model
///     1   2  version, big-endian
///     3   1  bits 0-1: 0 not connectable, 1 connectable, 2 PIN needed; 4 LED, 5 buzzer, 6 G-sensor, 7 button
///     4   6  address
///     10  1  bits 0-6: battery in percent; 65: external power
public struct FeasycomAdvertiser: Advertiser {
    /// What there is in it.
    public struct Features: OptionSet, Hashable, Sendable {
        /// The bits as they travel.
        public let rawValue: UInt8
        /// The features in a byte.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A light.
        public static let led = Features(rawValue: 0x10)
        /// A buzzer.
        public static let buzzer = Features(rawValue: 0x20)
        /// Something that feels motion.
        public static let gSensor = Features(rawValue: 0x40)
        /// A button.
        public static let button = Features(rawValue: 0x80)
    }

    /// Its address, which its frame says.
    public let address: DeviceAddress
    /// What it is called.
    public var name = "FSC_BP"
    /// What it says in the frames that are nobody's own.
    public var standard: StandardIdentity
    /// The number of its model.
    public var model: UInt8 = 21
    /// What its model is called in Device Information; nil for what the maker calls a beacon of that number.
    public var title: String?
    /// The version that runs.
    public var version: UInt16 = 830
    /// What there is in it.
    public var features: Features = [.led, .button]
    /// Whether it wants a PIN.
    public var needsPIN = false
    /// The byte for its battery.
    public var battery: UInt8 = 100

    /// What the byte for the battery says where there is none.
    public static let externalPower: UInt8 = 0x65

    /// A beacon at `address`.
    public init(address: DeviceAddress) {
        self.address = address
        standard = StandardIdentity(address: address)
    }

    /// Those of its maker.
    public static let ownFrames: [FrameName] = [.feasycom]
    /// What it sends from the factory.
    public var usualFrames: [FrameName] { [.feasycom, .iBeacon] }

    /// What it sends as `frame`.
    public func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        guard frame == .feasycom else { return standard.payload(of: frame, at: moment) }
        let access: UInt8 = !moment.isConnectable ? 0 : needsPIN ? 2 : 1
        let data = [model] + [UInt8](version) + [features.rawValue | access] + address.bytes + [battery]
        return AdvertisedFrame([.flags], .service(0xFFF0, data))
    }

    /// What Device Information says.
    public var information: [UInt16: [UInt8]] {
        [0x2A24: Array(modelName.utf8), 0x2A28: Array(software.utf8)]
    }

    /// The model, and the application's version with a dot.
    var software: String {
        let hundredths = version % 100
        return "\(modelName),\(version / 100).\(hundredths < 10 ? "0" : "")\(hundredths)"
    }

    private var modelName: String { title ?? Self.models[model] ?? "BP" }

    private static let models: [UInt8: String] = [
        21: "BP102", 25: "BP109", 26: "BP103", 27: "BP104", 28: "BP201", 29: "BP106", 30: "BP101",
        31: "BP671",
        36: "BP120", 39: "BP108", 40: "BP108N", 41: "BP103B",
    ]
}
