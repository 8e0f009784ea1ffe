public import BluetoothTypes

/// An ASensor of AprilBrother's.
///
///     0   6  address
///     6   1  version
///     7   1  temperature in °C
///     8   1  moving
///     9   3  acceleration
///     12  2  seconds of this motion, and of the last
///     14  1  battery in percent
///     15  1  power at 1 m, dBm
public struct ASensorAdvertiser: Advertiser {
    /// Its address, which its frame says.
    public let address: DeviceAddress
    /// What it is called.
    public var name = "ASensor"
    /// What it says in the frames that are nobody's own.
    public var standard: StandardIdentity
    /// The version that runs.
    public var version: UInt8 = 2
    /// Its battery in percent.
    public var battery: UInt8 = 100
    /// Whether it is moving.
    public var isMoving = false

    /// A sensor at `address`.
    public init(address: DeviceAddress) {
        self.address = address
        standard = StandardIdentity(address: address)
        standard.temperature = 25
    }

    /// Those of its maker.
    public static let ownFrames: [FrameName] = [.aSensor]
    /// What it sends from the factory.
    public var usualFrames: [FrameName] { [.aSensor] }

    /// What it sends as `frame`.
    public func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        guard frame == .aSensor else { return standard.payload(of: frame, at: moment) }
        let degrees = Int8(exactly: (standard.temperature ?? 0).rounded()) ?? 0
        let motion: [UInt8] = [isMoving ? 1 : 0, 0x01, 0x02, 0x40, 0x00, 0x09]
        let end = [battery, UInt8(bitPattern: standard.measuredPower)]
        let data = address.bytes + [version, UInt8(bitPattern: degrees)] + motion + end
        return AdvertisedFrame([.flags, .service(BluetoothUUID(0xFEF5))], .company(0x00D2, data))
    }

    /// What Device Information says.
    public var information: [UInt16: [UInt8]] {
        [0x2A24: Array("ASensor".utf8), 0x2A26: Array("\(version)".utf8)]
    }
}
