public import BluetoothTypes

/// A Beacon Tag of Orange's: an iBeacon that shows its service, and lets somebody in, after a press of its button.
///
/// Orange's library for Android wants iBeacon and service in one report, where only the scan response has room for the service.
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
    public var usualFrames: [FrameName] { [.iBeacon] }

    /// After a press of its button.
    public var connectable: ConnectableWindow.Rule { .afterClick }

    /// Its firmware.
    public var information: [UInt16: [UInt8]] { [0x2A26: Array("1.0".utf8)] }

    /// What it sends as `frame`.
    public func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        guard frame == .orangeTag else { return standard.payload(of: frame, at: moment) }
        return moment.isConnectable ? AdvertisedFrame([.flags], .service(Self.service)) : nil
    }

    /// Its service while it lets somebody in, and its name.
    public func scanResponse(at moment: AdvertisingMoment) -> AdvertisedFrame? {
        let name = name.isEmpty ? nil : ADStructure.name(name)
        guard moment.isConnectable else { return name.map { AdvertisedFrame($0) } }
        return AdvertisedFrame([], .service(Self.service), name.map { [$0] } ?? [])
    }

    static let service = AttributeTable.orangeTag(0x0800)
}
