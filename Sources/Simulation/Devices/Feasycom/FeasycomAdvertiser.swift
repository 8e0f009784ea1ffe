public import Bluetooth
import Bytes

/// A Feasycom beacon, with all information in one frame.
///
///     0   1  model
///     1   2  version, big-endian
///     3   1  bits 0-1: 0 not connectable, 1 connectable, 2 PIN needed; 4 LED, 5 buzzer, 6 G-sensor, 7 button
///     4   6  address
///     10  1  bits 0-6: battery in percent; 0x65: external power
public struct FeasycomAdvertiser: Advertiser {
    public struct Features: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let led = Features(rawValue: 0x10)
        public static let buzzer = Features(rawValue: 0x20)
        public static let gSensor = Features(rawValue: 0x40)
        public static let button = Features(rawValue: 0x80)
    }

    public let address: DeviceAddress
    public var name = "FSC_BP"
    public var standard: StandardIdentity
    public var model: UInt8 = 21
    /// The model name in Device Information; nil for the vendor's name of the model with this number.
    public var title: String?
    public var version: UInt16 = 830
    public var features: Features = [.led, .button]
    public var needsPIN = false
    public var battery: UInt8 = 100

    public static let externalPower: UInt8 = 0x65

    public init(address: DeviceAddress) {
        self.address = address
        standard = StandardIdentity(address: address)
    }

    public static let ownFrames: [FrameName] = [.feasycom]
    public var usualFrames: [FrameName] { [.feasycom, .iBeacon] }

    public func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        guard frame == .feasycom else { return standard.payload(of: frame, at: moment) }
        let access: UInt8 = !moment.isConnectable ? 0 : needsPIN ? 2 : 1
        let data = [model] + version.bytes(.big) + [features.rawValue | access] + address.bytes + [battery]
        return AdvertisedFrame([.flags], .service(0xFFF0, data))
    }

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
        31: "BP671", 36: "BP120", 39: "BP108", 40: "BP108N", 41: "BP103B",
    ]

    /// Reads the keys that only Feasycom beacons have.
    init(reading entry: inout BeaconEntry) throws(YAMLProblem) {
        try self.init(readingParts: &entry)
        needsPIN = try entry.truth("pin") ?? needsPIN
    }

    /// Reads the hardware and the installed version.
    init(readingParts entry: inout BeaconEntry) throws(YAMLProblem) {
        self.init(address: entry.address)
        model = try entry.number("model") ?? model
        version = try entry.number("version") ?? version
        battery = try entry.number("battery") ?? battery
        if try entry.truth("external_power") ?? false { battery = Self.externalPower }
        guard let list = try entry["features"]?.list() else { return }
        let known: [String: Features] = [
            "led": .led, "buzzer": .buzzer, "g-sensor": .gSensor, "button": .button,
        ]
        features = []
        for value in list { features.insert(try value.choice(of: known)) }
    }
}

extension FrameName { public static let feasycom = FrameName("feasycom") }
