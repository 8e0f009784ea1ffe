public import Bluetooth

/// A KBeacon from before 2019, with a proprietary service.
public struct OldKKMAdvertiser: Advertiser {
    /// The advertised name.
    public var name = "KBeacon"
    /// The values in the standard frames.
    public var standard: StandardIdentity

    /// A beacon at `address`.
    public init(address: DeviceAddress) { standard = StandardIdentity(address: address) }

    /// The frames that only this vendor has.
    public static let ownFrames: [FrameName] = [.kkmOld]
    /// The frames that it sends with factory settings.
    public var usualFrames: [FrameName] { [.iBeacon, .kkmOld] }

    /// The content of `frame` at a moment.
    public func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        guard frame == .kkmOld else { return standard.payload(of: frame, at: moment) }
        return AdvertisedFrame([.flags], .service(Self.service))
    }

    /// Its proprietary service, without characteristics.
    public var services: [AttributeTable.Service] { [AttributeTable.Service(Self.service, [])] }

    private static let service = BluetoothUUID(high: 0xEE0C_2080_8786_40BA, low: 0xAB96_99B9_1AC9_81D8)
}
