public import BluetoothTypes

/// A beacon of nobody in particular, with nothing but the frames that all have.
public struct StandardAdvertiser: Advertiser {
    /// What it is called.
    public var name = ""
    /// What it says in the frames that are nobody's own.
    public var standard: StandardIdentity
    /// What it sends from the factory.
    public let usualFrames: [FrameName]

    /// A beacon at `address` that sends `frames`.
    public init(address: DeviceAddress, _ frames: [FrameName]) {
        standard = StandardIdentity(address: address)
        usualFrames = frames
    }

    /// What it sends as `frame`.
    public func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        standard.payload(of: frame, at: moment)
    }
}
