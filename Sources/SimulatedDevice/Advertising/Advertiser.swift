/// What the beacons of one maker say over the air, as a value: it is asked for a moment, and does nothing by itself.
public protocol Advertiser: Sendable {
    /// What it is called; empty for nothing.
    var name: String { get set }
    /// What it says in the frames that are nobody's own.
    var standard: StandardIdentity { get set }
    /// The frames that are its maker's own.
    static var ownFrames: [FrameName] { get }
    /// What it sends from the factory.
    var usualFrames: [FrameName] { get }
    /// What it sends as `frame`; nil where it sends nothing then.
    func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame?
    /// What it answers to who asks for more; nil for nothing.
    func scanResponse(at moment: AdvertisingMoment) -> AdvertisedFrame?
    /// What Device Information says, by the numbers of the characteristics.
    var information: [UInt16: [UInt8]] { get }
    /// Services beside that.
    var services: [AttributeTable.Service] { get }
    /// Which of its frames is telemetry, from the factory; nil where that takes turns like all others.
    var telemetryEvery: Int? { get }
    /// When it takes connections, from the factory.
    var connectable: ConnectableWindow.Rule { get }
    /// How it treats who has no password; nil where it needs none.
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
    /// Like everybody.
    public var lockout: AdvertiserDescription.Lockout? { nil }

    /// Its name.
    public func scanResponse(at moment: AdvertisingMoment) -> AdvertisedFrame? {
        name.isEmpty ? nil : AdvertisedFrame(.name(name))
    }
}

/// When something is sent.
public struct AdvertisingMoment: Hashable, Sendable {
    /// For how long the beacon has been up.
    public var elapsed: Duration
    /// How many frames it has sent before.
    public var sent: Int
    /// How often it has sent this very frame before.
    public var turn: Int
    /// Whether it takes a connection now.
    public var isConnectable: Bool

    /// A moment in the life of a beacon.
    public init(_ elapsed: Duration = .zero, sent: Int = 0, turn: Int = 0, isConnectable: Bool = true) {
        self.elapsed = elapsed
        self.sent = sent
        self.turn = turn
        self.isConnectable = isConnectable
    }
}
