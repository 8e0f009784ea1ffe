public import BluetoothTypes

/// What is in a simulated beacon, as a value: it takes what comes over a link and says what it does about it. Links,
/// what becomes of packets on them, and all waiting are `SimulatedBeacon`'s.
///
/// Moments must not go backwards.
public protocol BeaconDevice: Sendable {
    /// What it was told to be.
    associatedtype Description: Sendable

    /// What it is, and what was in it at first.
    var description: Description { get }
    /// The address at which it is to be found now.
    var address: DeviceAddress { get }
    /// What was heard of it last at `now`, without a link; nil where nothing runs that could be talked to.
    func advertisement(at now: Duration) -> Advertisement?
    /// What is heard of it after `earlier` and not after `now`, in order.
    func reports(after earlier: Duration, through now: Duration) -> [Advertisement]
    /// When it is heard next after `now`, if nothing happens until then.
    func nextReport(after now: Duration) -> Duration
    /// The key of the bond that a central has with it.
    var bond: Int? { get }
    /// The memory with its programs.
    var flash: FlashModel { get set }
    /// The address in `flash` that is offset 0 to a `BeaconMemory`.
    var memoryStart: Int { get }
    /// The small part of the state that a `BeaconMemory` keeps.
    var retained: RetainedState? { get }
    /// Whether what runs takes as much longer to start as `Fault.slowBootloader` says.
    var startsSlowly: Bool { get }
    /// When it resets by itself if nothing happens until then.
    var inactivityDeadline: Duration? { get }
    /// When it will have something to say without having been asked.
    var announcementDue: Duration? { get }

    /// Whether it takes a link.
    func takesLink(at now: Duration) -> Bool
    /// A link begins, with the services of what runs.
    mutating func connect(at now: Duration) -> AttributeServer
    /// A packet has arrived, whose link `server` serves.
    mutating func receive(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction]
    /// `announcementDue` has come.
    mutating func announce(by server: inout AttributeServer, at now: Duration) -> [BeaconReaction]
    /// The link has ended; when the device resets for that reason.
    mutating func disconnect(at now: Duration) -> Duration?
    /// Power goes or a reset comes; how long it takes until what starts is up.
    mutating func reset(at now: Duration) -> Duration
    /// A central wants the link encrypted with the key of a bond, or to pair where it has none.
    mutating func encrypt(with key: Int?, _ server: inout AttributeServer, at now: Duration) -> (
        LinkEncryption, [BeaconReaction]
    )
    /// What a channel to `psm` takes; nil where none is taken now.
    func channel(to psm: UInt16) -> ChannelOffer?
    /// A packet has come out of the channel's buffer.
    mutating func receiveOverChannel(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction]
    /// What a fault of the vendor's own does to the device where it is now; asked after each packet.
    mutating func linkFault() -> LinkFault?
    /// The same device once its flash has nothing left to do, and after a reset that is due.
    func settled(at now: Duration, before reset: Duration?) -> Self

    /// The channel that it may take, and its longest packet; nil for none.
    var offeredChannel: (psm: UInt16, maximumPacket: Int)? { get }
    /// The rules of its protocols that clients broke, in order, over its life.
    var brokenRules: [BrokenRule] { get }
    /// What it takes a write for.
    func meaning(of value: [UInt8], to characteristic: BluetoothUUID) -> WriteMeaning
    /// How many bytes of an image it has accepted, those that wait for the rest of a block among them.
    var acceptedBytes: Int { get }
    /// How many packets of an image it has let fall without a word, over its life: they came faster than flash is written.
    var droppedPackets: Int { get }
    /// The update that has arrived whole and was found good, from that moment until what comes next.
    func completedUpdate(at now: Duration) -> CompletedUpdate?
}

/// What ends a link, or more, wherever a device is.
public enum LinkFault: Hashable, Sendable {
    /// The link ends.
    case cut
    /// Power is gone for a moment.
    case powerLoss
}

/// What a device takes of a channel beside a link (Core, Vol 3, Part A, 10.1).
public struct ChannelOffer: Hashable, Sendable {
    /// The longest packet, in bytes.
    public var maximumPacket: Int
    /// Packets that may be on their way.
    public var credits: Int

    /// Packets of up to `maximumPacket` bytes, `credits` at a time.
    public init(maximumPacket: Int, credits: Int) {
        self.maximumPacket = maximumPacket
        self.credits = credits
    }
}

extension BeaconDevice {
    /// Most say the same all the time.
    public func reports(after earlier: Duration, through now: Duration) -> [Advertisement] {
        advertisement(at: now).map { [$0] } ?? []
    }
    /// Ten times a second.
    public func nextReport(after now: Duration) -> Duration { now + .milliseconds(100) }
    /// Whoever says that takes one.
    public func takesLink(at now: Duration) -> Bool { advertisement(at: now)?.isConnectable ?? false }

    /// Most have no bonds.
    public var bond: Int? { nil }
    /// Most memories hold a flash from its start.
    public var memoryStart: Int { 0 }
    /// Most have nothing beside their flash.
    public var retained: RetainedState? { nil }
    /// Most take longer.
    public var startsSlowly: Bool { true }
    /// Most wait for ever.
    public var inactivityDeadline: Duration? { nil }
    /// Most speak when they are spoken to.
    public var announcementDue: Duration? { nil }

    /// Says nothing.
    public mutating func announce(by server: inout AttributeServer, at now: Duration) -> [BeaconReaction] {
        []
    }

    /// Refuses.
    public mutating func encrypt(with key: Int?, _ server: inout AttributeServer, at now: Duration) -> (
        LinkEncryption, [BeaconReaction]
    ) {
        (.refused("simulated beacons do not pair"), [])
    }

    /// Takes none.
    public func channel(to psm: UInt16) -> ChannelOffer? { nil }

    /// Takes none.
    public mutating func receiveOverChannel(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        []
    }

    /// Nothing happens.
    public mutating func linkFault() -> LinkFault? { nil }

    /// Most have none.
    public var offeredChannel: (psm: UInt16, maximumPacket: Int)? { nil }
    /// Most have no rules.
    public var brokenRules: [BrokenRule] { [] }
    /// A write to a characteristic.
    public func meaning(of value: [UInt8], to characteristic: BluetoothUUID) -> WriteMeaning {
        .request(ClientRequest("write", ["bytes": value.count]))
    }
    /// Most take none.
    public var acceptedBytes: Int { 0 }
    /// Most wait, or refuse.
    public var droppedPackets: Int { 0 }
    /// Most take none.
    public func completedUpdate(at now: Duration) -> CompletedUpdate? { nil }
}
