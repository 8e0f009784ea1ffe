public import BluetoothTypes
import ByteCoding

/// A beacon of Estimote's. Its formats are reserved: no radio may send them but Estimote's own, and no memory minds.
///
///     0   1  bits 0-3: 2 telemetry; 4-7: version of the protocol
///     1   8  first half of the identifier
///     9   1  bits 0-1: 0 part A, 1 part B
///     17  2  part B: bits 2-15 battery in mV, low byte first
///     19  1  part B, from protocol 1 on: battery in percent; FF unknown
public struct EstimoteAdvertiser: Advertiser {
    /// What it is called.
    public var name = ""
    /// What it says in the frames that are nobody's own.
    public var standard: StandardIdentity
    /// The first half of its identifier, 8 bytes.
    public var id: [UInt8] = [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]
    /// The version of its protocol, 0 to 2.
    public var telemetryVersion: UInt8 = 2
    /// Its battery in percent.
    public var battery: UInt8 = 87
    /// Whether it says that its firmware failed.
    public var hasFirmwareError = false
    /// Whether it says that its clock failed.
    public var hasClockError = false

    /// A beacon at `address`.
    public init(address: DeviceAddress) {
        standard = StandardIdentity(address: address)
        standard.batteryMillivolts = 3010
    }

    /// Those of its maker.
    public static let ownFrames: [FrameName] = [.estimoteTelemetry]
    /// What it sends from the factory.
    public var usualFrames: [FrameName] { [.estimoteTelemetry] }

    /// Only its owner's account may.
    public var connectable: ConnectableWindow.Rule { .never }

    /// What it sends as `frame`.
    public func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        guard frame == .estimoteTelemetry else { return standard.payload(of: frame, at: moment) }
        let part = UInt8(moment.turn % 2)
        var data = [telemetryVersion << 4 | 2] + id + [part] + [UInt8](repeating: 0, count: 10)
        let errors: UInt8 = (hasFirmwareError ? 1 : 0) | (hasClockError ? 2 : 0)
        if part == 1 {
            let level = [UInt8](standard.batteryMillivolts << 2, .little)
            data.replaceSubrange(17..<19, with: level)
            data[19] = telemetryVersion == 0 ? errors : battery
        } else if telemetryVersion == 2 {
            data[15] = errors << 2
        } else if telemetryVersion == 1 {
            data[16] = errors
        }
        return AdvertisedFrame([.flags, .service(BluetoothUUID(0xFE9A))], .service(0xFE9A, data))
    }
}
