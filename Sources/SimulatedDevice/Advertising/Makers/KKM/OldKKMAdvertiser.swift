public import BluetoothTypes

/// A KBeacon from before 2019, whose service is its own.
public struct OldKKMAdvertiser: Advertiser {
    /// What it is called.
    public var name = "KBeacon"
    /// What it says in the frames that are nobody's own.
    public var standard: StandardIdentity

    /// A beacon at `address`.
    public init(address: DeviceAddress) { standard = StandardIdentity(address: address) }

    /// Those of its maker.
    public static let ownFrames: [FrameName] = [.kkmOld]
    /// What it sends from the factory.
    public var usualFrames: [FrameName] { [.iBeacon, .kkmOld] }

    /// What it sends as `frame`.
    public func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        guard frame == .kkmOld else { return standard.payload(of: frame, at: moment) }
        return AdvertisedFrame([.flags], .service(Self.service))
    }

    /// Its own, without characteristics.
    public var services: [AttributeTable.Service] { [AttributeTable.Service(Self.service, [])] }

    private static let service = BluetoothUUID(high: 0xEE0C_2080_8786_40BA, low: 0xAB96_99B9_1AC9_81D8)
}
