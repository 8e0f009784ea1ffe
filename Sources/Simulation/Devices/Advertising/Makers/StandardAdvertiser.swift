public import Bluetooth

/// A beacon of no particular vendor, with standard frames only.
public struct StandardAdvertiser: Advertiser {
    /// The advertised name.
    public var name = ""
    /// The values in the standard frames.
    public var standard: StandardIdentity
    /// The frames that it sends.
    public let usualFrames: [FrameName]

    /// A beacon at `address` that sends `frames`.
    public init(address: DeviceAddress, _ frames: [FrameName]) {
        standard = StandardIdentity(address: address)
        usualFrames = frames
    }

    /// The content of `frame` at a moment.
    public func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        standard.payload(of: frame, at: moment)
    }
}
