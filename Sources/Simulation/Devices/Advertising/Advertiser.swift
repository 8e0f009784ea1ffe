/// What the beacons of one vendor advertise, as a pure value: it takes a moment and returns frames.
public protocol Advertiser: Sendable {
    /// The advertised name; empty for none.
    var name: String { get set }
    /// The values in the standard frames.
    var standard: StandardIdentity { get set }
    /// The frames that only this vendor has.
    static var ownFrames: [FrameName] { get }
    /// The frames that it sends with factory settings.
    var usualFrames: [FrameName] { get }
    /// The content of `frame` at a moment; nil if it does not send that frame then.
    func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame?
    /// The scan response at a moment; nil for none.
    func scanResponse(at moment: AdvertisingMoment) -> AdvertisedFrame?
    /// The values of Device Information, by characteristic number.
    var information: [UInt16: [UInt8]] { get }
    /// Further services.
    var services: [AttributeTable.Service] { get }
    /// How often a frame is telemetry, with factory settings: every n-th; nil if telemetry rotates like all other
    /// frames.
    var telemetryEvery: Int? { get }
    /// When it accepts connections, with factory settings.
    var connectable: ConnectableWindow.Rule { get }
    /// What it does to a central without the password; nil if it needs none.
    var lockout: AdvertiserDescription.Lockout? { get }
}

extension Advertiser {
    /// None.
    public static var ownFrames: [FrameName] { [] }
    /// Nothing.
    public var information: [UInt16: [UInt8]] { [:] }
    /// None.
    public var services: [AttributeTable.Service] { [] }
    /// None in particular.
    public var telemetryEvery: Int? { nil }
    /// Always.
    public var connectable: ConnectableWindow.Rule { .always }
    /// None.
    public var lockout: AdvertiserDescription.Lockout? { nil }

    /// The name alone.
    public func scanResponse(at moment: AdvertisingMoment) -> AdvertisedFrame? {
        name.isEmpty ? nil : AdvertisedFrame(.name(name))
    }
}

/// The moment of an advert.
public struct AdvertisingMoment: Hashable, Sendable {
    /// The time since the beacon started.
    public var elapsed: Duration
    /// How many frames it has sent before.
    public var sent: Int
    /// How often it has sent this same frame before.
    public var turn: Int
    /// Whether it accepts a connection now.
    public var isConnectable: Bool

    /// A moment in the life of a beacon.
    public init(_ elapsed: Duration = .zero, sent: Int = 0, turn: Int = 0, isConnectable: Bool = true) {
        self.elapsed = elapsed
        self.sent = sent
        self.turn = turn
        self.isConnectable = isConnectable
    }
}
