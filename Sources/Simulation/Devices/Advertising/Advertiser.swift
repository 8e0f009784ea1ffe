public import Bluetooth

/// What the beacons of one vendor advertise, as a pure value: a function of time that returns frames.
public protocol Advertiser: Sendable {
    /// The advertised name; empty for none.
    var name: String { get set }
    var standard: StandardIdentity { get set }
    /// The frames that only this vendor has.
    static var ownFrames: [FrameName] { get }
    /// The frames that it sends with factory settings.
    var usualFrames: [FrameName] { get }
    /// The content of `frame` at a moment; nil if it does not send that frame then.
    func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame?
    func scanResponse(at moment: AdvertisingMoment) -> AdvertisedFrame?
    /// The values of Device Information, by characteristic number.
    var information: [UInt16: [UInt8]] { get }
    var services: [AttributeTable.Service] { get }
    /// With factory settings, every n-th frame is telemetry; nil if telemetry rotates like all other frames.
    var telemetryEvery: Int? { get }
    /// When it accepts connections, with factory settings.
    var connectable: ConnectableWindow.Rule { get }
    /// What it does to a central without the password; nil if it needs no password.
    var lockout: AdvertiserDescription.Lockout? { get }
}

extension Advertiser {
    public static var ownFrames: [FrameName] { [] }
    public var usualFrames: [FrameName] { Self.ownFrames }
    public var information: [UInt16: [UInt8]] { [:] }
    public var services: [AttributeTable.Service] { [] }
    public var telemetryEvery: Int? { nil }
    public var connectable: ConnectableWindow.Rule { .always }
    public var lockout: AdvertiserDescription.Lockout? { nil }

    public func scanResponse(at moment: AdvertisingMoment) -> AdvertisedFrame? {
        nameStructures.first.map { AdvertisedFrame($0) }
    }

    /// The name as a structure; empty if there is none.
    var nameStructures: [ADStructure] { name.isEmpty ? [] : [.name(name)] }
}

public struct AdvertisingMoment: Hashable, Sendable {
    /// The time since the beacon started.
    public var elapsed = Duration.zero
    /// How many frames it has sent before.
    public var sent = 0
    /// How often it has sent the same frame before.
    public var turn = 0
    public var isConnectable = true
}

/// A beacon that only advertises its identity: what it sends, and what connected clients can read.
public struct AdvertiserDescription: Sendable {
    public var address: DeviceAddress
    public var rssi: Int8 = -50
    public var plan: AdvertisingPlan
    /// The values of Device Information, by characteristic number; empty if there is no such service.
    public var information: [UInt16: [UInt8]]
    public var lockout: Lockout?

    public init(address: DeviceAddress, _ advertiser: any Advertiser) {
        self.address = address
        plan = AdvertisingPlan(advertiser)
        information = advertiser.information
        lockout = advertiser.lockout
    }

    /// What happens to a central that never writes a password.
    public struct Lockout: Hashable, Sendable {
        /// How long its link lasts.
        public var timeout = Duration.seconds(30)
        /// How long all connections are refused after that.
        public var refusal = Duration.seconds(1200)

        public init() {}
    }
}

public struct ConnectableWindow: Hashable, Sendable {
    public enum Rule: String, CaseIterable, Sendable {
        case always = "true"
        case never = "false"
        /// For the window's `length` after each press of the button.
        case afterClick = "after-click"
    }

    public var rule: Rule
    /// When the button is pressed, as times since the beacon started.
    public var clicks: [Duration]
    /// How long the window stays open after each press.
    public var length: Duration

    public init(_ rule: Rule = .always, clicks: [Duration] = [], length: Duration = .seconds(60)) {
        (self.rule, self.clicks, self.length) = (rule, clicks, length)
    }

    public func isOpen(_ elapsed: Duration) -> Bool {
        switch rule {
        case .always: true
        case .never: false
        case .afterClick: clicks.contains { $0 <= elapsed && elapsed < $0 + length }
        }
    }
}
