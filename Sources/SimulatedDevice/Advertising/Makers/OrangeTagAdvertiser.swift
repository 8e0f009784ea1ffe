public import BluetoothTypes

/// A Beacon Tag of Orange's: an iBeacon that shows its service, and lets somebody in, after a press of its button.
public struct OrangeTagAdvertiser: Advertiser {
    /// What it is called.
    public var name = "Beacon Tag"
    /// What it says in the frames that are nobody's own.
    public var standard: StandardIdentity

    /// A tag at `address`.
    public init(address: DeviceAddress) { standard = StandardIdentity(address: address) }

    /// Those of its maker.
    public static let ownFrames: [FrameName] = [.orangeTag]
    /// What it sends from the factory.
    public var usualFrames: [FrameName] { [.iBeacon, .orangeTag] }

    /// After a press of its button.
    public var connectable: ConnectableWindow.Rule { .afterClick }

    /// What it sends as `frame`.
    public func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        guard frame == .orangeTag else { return standard.payload(of: frame, at: moment) }
        return moment.isConnectable ? AdvertisedFrame([.flags], .service(Self.service)) : nil
    }

    /// Its own, without characteristics.
    public var services: [AttributeTable.Service] { [AttributeTable.Service(Self.service, [])] }

    private static let service = BluetoothUUID(high: 0x59EC_0800_0B1E_4063, low: 0x8B16_B00B_50AA_3A7E)
}
