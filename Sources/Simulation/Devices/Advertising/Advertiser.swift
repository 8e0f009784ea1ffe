public import Bluetooth

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
    /// Those that only it has.
    public var usualFrames: [FrameName] { Self.ownFrames }
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
    public var elapsed = Duration.zero
    /// How many frames it has sent before.
    public var sent = 0
    /// How often it has sent this same frame before.
    public var turn = 0
    /// Whether it accepts a connection now.
    public var isConnectable = true
}

/// A beacon that only advertises its identity: what it sends, and what connected clients can read.
public struct AdvertiserDescription: Sendable {
    /// Its address.
    public var address: DeviceAddress
    /// The signal strength at the scanner, in dBm.
    public var rssi: Int8 = -50
    /// The frames that it sends.
    public var plan: AdvertisingPlan
    /// The values of Device Information, by characteristic number; empty for no such service.
    public var information: [UInt16: [UInt8]]
    /// What it does to a central without the password; nil if it needs none.
    public var lockout: Lockout?

    /// The default beacon of the vendor of `advertiser`.
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

        /// 30 s, and then 20 min.
        public init() {}
    }
}

/// When a beacon accepts connections.
public struct ConnectableWindow: Hashable, Sendable {
    /// The condition for accepting a connection.
    public enum Rule: String, CaseIterable, Sendable {
        case always = "true"
        case never = "false"
        /// For a while after a press of its button.
        case afterClick = "after-click"
    }

    /// The condition for accepting a connection.
    public var rule: Rule
    /// When the button is pressed, as times since the beacon started.
    public var clicks: [Duration]
    /// How long the window stays open after each press.
    public var length: Duration

    /// A window with the condition `rule`.
    public init(_ rule: Rule = .always, clicks: [Duration] = [], length: Duration = .seconds(60)) {
        self.rule = rule
        self.clicks = clicks
        self.length = length
    }

    /// Whether the window is open `elapsed` after the beacon started.
    public func isOpen(_ elapsed: Duration) -> Bool {
        switch rule {
        case .always: true
        case .never: false
        case .afterClick: clicks.contains { $0 <= elapsed && elapsed < $0 + length }
        }
    }
}
