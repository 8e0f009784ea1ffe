public import Bluetooth
import Bytes

/// The logic of a simulated beacon, as a value: it processes the packets of a link and returns its reactions.
/// `SimulatedBeacon` handles links, the fate of packets on them, and all waiting.
///
/// The times that it is given must not decrease.
public protocol BeaconDevice: Sendable {
    associatedtype Description: Sendable

    var description: Description { get }
    /// The address at which it advertises now.
    var address: DeviceAddress { get }
    /// What it sends while `isAudible`; nil if the device itself implements `advertisement`, `reports`, `nextReport`.
    var advertising: BeaconAdvertising? { get }
    /// Whether something runs that advertises and accepts links.
    func isAudible(at now: Duration) -> Bool
    /// The last advert by `now` of a device without a link; nil if nothing runs that could respond.
    func advertisement(at now: Duration) -> Advertisement?
    /// The adverts after `earlier` and by `now`, in order.
    func reports(after earlier: Duration, through now: Duration) -> [Advertisement]
    /// When the next advert after `now` is sent, if nothing else happens.
    func nextReport(after now: Duration) -> Duration
    /// The key of its bond with a central; nil without a bond.
    var bond: Int? { get }
    /// The memory that holds its programs.
    var flash: FlashModel { get set }
    /// The address in `flash` that a `BeaconMemory` knows as offset 0.
    var memoryStart: Int { get }
    /// The state besides the flash, for a `BeaconMemory`; nil if the flash is the whole state.
    var retained: RetainedState? { get }
    /// Whether `Fault.slowBootloader` delays the start of the running program.
    var startsSlowly: Bool { get }
    /// When it resets by itself, if nothing else happens; nil for never.
    var inactivityDeadline: Duration? { get }
    /// When it will report something without a request; nil for never.
    var announcementDue: Duration? { get }

    func takesLink(at now: Duration) -> Bool
    /// Starts a link, with the services of the running program.
    mutating func connect(at now: Duration) -> AttributeServer
    mutating func receive(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction]
    /// Reports what is due at `announcementDue`.
    mutating func announce(by server: inout AttributeServer, at now: Duration) -> [BeaconReaction]
    /// Ends the link; returns when the device resets because of that, nil if it does not.
    mutating func disconnect(at now: Duration) -> Duration?
    /// Restarts after a power loss or a reset; returns the time until the started program is up.
    mutating func reset(at now: Duration) -> Duration
    /// Encrypts the link with the key of a bond, or pairs if the central has none.
    mutating func encrypt(with key: Int?, _ server: inout AttributeServer, at now: Duration) -> (
        LinkEncryption, [BeaconReaction]
    )
    /// The terms of a channel to `psm`; nil if none is accepted now.
    func channel(to psm: UInt16) -> ChannelOffer?
    /// Processes a packet from the channel's buffer.
    mutating func receiveOverChannel(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction]
    /// The vendor-specific fault that is due in the current state, nil for none; called after each packet.
    mutating func linkFault() -> LinkFault?
    /// A copy of the device after all pending flash operations, and after the reset that is due at `reset`, if any.
    func settled(at now: Duration, before reset: Duration?) -> Self

    /// The channel that it may accept, and its longest packet; nil for none.
    var offeredChannel: (psm: UInt16, maximumPacket: Int)? { get }
    /// The rules that clients have broken over the device's life, in order.
    var brokenRules: [BrokenRule] { get }
    func meaning(of value: [UInt8], to characteristic: BluetoothUUID) -> WriteMeaning
    /// The accepted bytes of an image, including those of an incomplete block.
    var acceptedBytes: Int { get }
    /// The image packets without effect over the device's life, such as those that arrive faster than flash is written.
    var droppedPackets: Int { get }
    /// The update that was received and accepted, until the next change; nil if there is none.
    func completedUpdate(at now: Duration) -> CompletedUpdate?
}

/// What a device sends on the air: the frames of a plan, or one connectable advert.
public struct BeaconAdvertising: Sendable {
    private enum Content: Sendable {
        case plan(AdvertisingPlan)
        /// With a `timeline`, the advert is sent at its times; otherwise whenever a scanner asks.
        case advert(AdvertisingData, timeline: AdvertisingTimeline?)
    }

    private let address: DeviceAddress
    private let rssi: Int8
    private let content: Content

    public init(_ plan: AdvertisingPlan, from address: DeviceAddress, rssi: Int8) {
        (self.address, self.rssi, content) = (address, rssi, .plan(plan))
    }

    /// An advert of `elements` every `period`; if that is nil, at once when a scanner starts, then every 100 ms.
    public init(
        _ elements: [AdvertisingData.Element], every period: Duration?, from address: DeviceAddress,
        rssi: Int8
    ) {
        var data = AdvertisingData()
        data.elements = elements
        let timeline = period.map { AdvertisingTimeline(every: $0, at: address) }
        (self.address, self.rssi, content) = (address, rssi, .advert(data, timeline: timeline))
    }

    /// The frames of `plan`; without a plan, an advert of `elements`.
    init(
        _ plan: AdvertisingPlan?, or elements: [AdvertisingData.Element], every period: Duration?,
        from address: DeviceAddress, rssi: Int8
    ) {
        if let plan {
            self.init(plan, from: address, rssi: rssi)
        } else {
            self.init(elements, every: period, from: address, rssi: rssi)
        }
    }

    func latest(at now: Duration) -> Advertisement? {
        switch content {
        case .plan(let plan): plan.latest(at: now, from: address, rssi: rssi)
        case .advert(let data, _):
            Advertisement(address: address, rssi: rssi, isConnectable: true, data: data)
        }
    }

    func reports(after earlier: Duration, through now: Duration) -> [Advertisement] {
        switch content {
        case .plan(let plan): plan.reports(after: earlier, through: now, from: address, rssi: rssi)
        case .advert(_, let timeline):
            timeline?.comes(after: earlier, through: now) ?? true ? [latest(at: now)].compactMap(\.self) : []
        }
    }

    func next(after now: Duration) -> Duration? {
        switch content {
        case .plan(let plan): plan.nextReport(after: now)
        case .advert(_, let timeline): timeline?.next(after: now)
        }
    }

    func isConnectable(at now: Duration) -> Bool {
        if case .plan(let plan) = content { plan.isConnectable(at: now) } else { true }
    }
}

/// An injected fault that ends a link, or restarts the device.
public enum LinkFault: Hashable, Sendable { case cut, powerLoss }

/// The terms on which a device accepts a channel over a link (Core, Vol 3, Part A, 10.1).
public struct ChannelOffer: Hashable, Sendable {
    /// The longest packet, in bytes.
    public var maximumPacket: Int
    /// The initial credits: the number of packets that may be under way.
    public var credits: Int

    public init(maximumPacket: Int, credits: Int) {
        (self.maximumPacket, self.credits) = (maximumPacket, credits)
    }
}

extension BeaconDevice {
    public var advertising: BeaconAdvertising? { nil }
    public func isAudible(at now: Duration) -> Bool { true }
    public func advertisement(at now: Duration) -> Advertisement? {
        isAudible(at: now) ? advertising?.latest(at: now) : nil
    }
    /// The frames of `advertising`; without it, the same advert at all times.
    public func reports(after earlier: Duration, through now: Duration) -> [Advertisement] {
        guard let advertising else { return advertisement(at: now).map { [$0] } ?? [] }
        return isAudible(at: now) ? advertising.reports(after: earlier, through: now) : []
    }
    /// When `advertising` sends the next frame; 100 ms after `now` if there is no schedule.
    public func nextReport(after now: Duration) -> Duration {
        advertising?.next(after: now) ?? now + .milliseconds(100)
    }
    public func takesLink(at now: Duration) -> Bool {
        guard let advertising else { return advertisement(at: now)?.isConnectable ?? false }
        return isAudible(at: now) && advertising.isConnectable(at: now)
    }

    public mutating func disconnect(at now: Duration) -> Duration? { nil }
    public func settled(at now: Duration, before reset: Duration?) -> Self {
        var copy = self
        copy.flash.advance(to: flash.idle(at: now))
        return copy
    }

    public var bond: Int? { nil }
    public var memoryStart: Int { 0 }
    public var retained: RetainedState? { nil }
    public var startsSlowly: Bool { true }
    public var inactivityDeadline: Duration? { nil }
    public var announcementDue: Duration? { nil }

    public mutating func announce(by server: inout AttributeServer, at now: Duration) -> [BeaconReaction] {
        []
    }

    public mutating func encrypt(with key: Int?, _ server: inout AttributeServer, at now: Duration) -> (
        LinkEncryption, [BeaconReaction]
    ) { (.refused("simulated beacons do not pair"), []) }

    public func channel(to psm: UInt16) -> ChannelOffer? { nil }

    public mutating func receiveOverChannel(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction] { [] }

    public mutating func linkFault() -> LinkFault? { nil }
    public var offeredChannel: (psm: UInt16, maximumPacket: Int)? { nil }
    public var brokenRules: [BrokenRule] { [] }
    public func meaning(of value: [UInt8], to characteristic: BluetoothUUID) -> WriteMeaning {
        .request(ClientRequest("write", ["bytes": value.count]))
    }
    public var acceptedBytes: Int { 0 }
    public var droppedPackets: Int { 0 }
    public func completedUpdate(at now: Duration) -> CompletedUpdate? { nil }
}

public enum LinkEncryption: Hashable, Sendable {
    /// The link is encrypted with a key that both sides store; nil if they store none.
    case done(key: Int?)
    case refused(String)
}

/// A device whose whole state is in its flash: for it, the time between two runs of the program is a power loss.
public protocol FlashDevice: BeaconDevice {
    /// A device with its factory state, or one that resumes with `retained` as the content of its flash.
    init(_ description: Description, faults: [Fault], retained: [UInt8]?, at now: Duration)
    /// The size of its flash in bytes.
    var flashSize: Int { get }
    /// The time from a power loss until it is up.
    var startTime: Duration { get }
}

extension SimulatedBeacon where Device: FlashDevice {
    /// A beacon that has been up for a while, or with `retained` one that resumes from an earlier run of the program.
    public init(
        _ description: Device.Description, time: Timekeeper, faults: [Fault] = [], retained: [UInt8]? = nil,
        memory: (any BeaconMemory)? = nil
    ) {
        let device = Device(description, faults: faults, retained: retained, at: time.now)
        memory?.remember(image: device.flash.content(0..<device.flashSize)[...], at: 0)
        self.init(
            device, time: time, faults: faults, startingIn: retained == nil ? .zero : device.startTime,
            memory: memory)
    }
}

/// Storage for a beacon's state that outlives the program that simulates it.
///
/// It is called after every packet: for the beacon, killing the program is the same as losing the link.
public protocol BeaconMemory: Sendable {
    /// Stores the state besides the flash for the first time, so that flash is never stored without it.
    func begin(with state: RetainedState)
    /// Stores the state besides the flash, replacing the previous one.
    func remember(_ state: RetainedState)
    /// Stores bytes of the flash; offset 0 is the device's `memoryStart`. Erased bytes are 0xFF.
    func remember(image bytes: ArraySlice<UInt8>, at offset: Int)
}

extension BeaconMemory {
    /// Does nothing: storage that keeps both parts together needs no first step.
    public func begin(with state: RetainedState) {}
}

/// A device's timed action on its link.
public enum BeaconReaction: Hashable, Sendable {
    /// Sends this packet as a response.
    case send([UInt8], at: Duration)
    /// Sends a value if the client has subscribed to it: as a notification or, if `mayIndicate`, as an indication.
    case notify([UInt8], from: BluetoothUUID, mayIndicate: Bool, at: Duration)
    case disconnect(at: Duration)
    /// Resets the device, whether or not the link is still up.
    case reset(at: Duration)
}

/// A timed action of a bootloader, or of another receiver of updates.
package enum FirmwareReaction: Hashable, Sendable {
    case notify([UInt8], at: Duration)
    case disconnect(at: Duration)
    /// Resets the device, whether or not the link is still up.
    case reset(at: Duration)
}

/// The battery state that simulated beacons advertise (beacon-frames.md).
enum BatteryFrames {
    /// Eddystone TLM, unencrypted: the battery in mV, no temperature, all counters 0.
    static func telemetry(_ millivolts: UInt16) -> AdvertisingData.Element {
        let counters = [UInt8](repeating: 0, count: 8)
        return .serviceData(
            BluetoothUUID(0xFEAA), [0x20, 0x00] + millivolts.bytes(.big) + [0x80, 0x00] + counters)
    }

    /// AprilBrother's ASensor frame: address, version, motion, battery in percent, measured power.
    static func aSensor(_ percent: UInt8, _ address: DeviceAddress, version: UInt8) -> AdvertisingData.Element
    {
        let motion: [UInt8] = [25, 0, 0, 0, 0x40, 0, 0]
        return .manufacturer(0x00D2, address.bytes + [version] + motion + [percent, 0xC5])
    }
}
