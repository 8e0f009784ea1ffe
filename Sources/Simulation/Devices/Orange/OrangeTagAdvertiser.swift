public import Bluetooth

/// A Beacon Tag by Orange: an iBeacon that lists its service, and accepts a connection, after a press of its button.
///
/// Orange's Android library requires iBeacon and service in one report, but the service only fits in the scan response.
public struct OrangeTagAdvertiser: Advertiser {
    /// The advertised name.
    public var name = "Beacon Tag"
    /// The values in the standard frames.
    public var standard: StandardIdentity

    /// A tag at `address`.
    public init(address: DeviceAddress) { standard = StandardIdentity(address: address) }

    /// The frames that only this vendor has.
    public static let ownFrames: [FrameName] = [.orangeTag]
    /// The frames that it sends with factory settings.
    public var usualFrames: [FrameName] { [.iBeacon] }

    /// After a press of its button.
    public var connectable: ConnectableWindow.Rule { .afterClick }

    /// The firmware revision.
    public var information: [UInt16: [UInt8]] { [0x2A26: Array("1.0".utf8)] }

    /// The content of `frame` at a moment.
    public func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        guard frame == .orangeTag else { return standard.payload(of: frame, at: moment) }
        return moment.isConnectable ? AdvertisedFrame([.flags], .service(Self.service)) : nil
    }

    /// Its service while it is connectable, and its name.
    public func scanResponse(at moment: AdvertisingMoment) -> AdvertisedFrame? {
        let name = name.isEmpty ? nil : ADStructure.name(name)
        guard moment.isConnectable else { return name.map { AdvertisedFrame($0) } }
        return AdvertisedFrame([], .service(Self.service), name.map { [$0] } ?? [])
    }

    static let service = AttributeTable.orangeTag(0x0800)
}

extension FrameName {
    /// Orange's Beacon Tag, while it is connectable after a press of its button.
    public static let orangeTag = FrameName("orange-tag")
}
