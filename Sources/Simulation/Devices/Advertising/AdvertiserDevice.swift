public import Bluetooth

/// A beacon that only advertises its identity, as a value: it advertises by its plan, and connected clients can read
/// Device Information.
public struct AdvertiserDevice: BeaconDevice {
    /// Its initial configuration.
    public let description: AdvertiserDescription
    /// Unused: nothing is ever written to this beacon.
    public var flash = FlashModel(timing: .instant, capacity: 1)

    private let plan: AdvertisingPlan
    /// When the connected central is disconnected for lack of a password.
    private var timeoutEnds: Duration?
    /// When connections are accepted again.
    private var refusesUntil = Duration.zero

    /// A beacon that starts at `now`.
    public init(_ description: AdvertiserDescription, at now: Duration) {
        self.description = description
        var plan = description.plan
        plan.start = now
        self.plan = plan
    }

    /// Its address, which never changes.
    public var address: DeviceAddress { description.address }

    /// The last frame sent by `now`.
    public func advertisement(at now: Duration) -> Advertisement? {
        plan.latest(at: now, from: address, rssi: description.rssi)
    }

    /// The frames of its plan.
    public func reports(after earlier: Duration, through now: Duration) -> [Advertisement] {
        plan.reports(after: earlier, through: now, from: address, rssi: description.rssi)
    }

    /// When its plan sends the next frame.
    public func nextReport(after now: Duration) -> Duration {
        plan.nextReport(after: now) ?? now + .milliseconds(100)
    }

    /// Whether its plan allows a connection, and no lockout is active.
    public func takesLink(at now: Duration) -> Bool { now >= refusesUntil && plan.isConnectable(at: now) }

    /// Starts a link.
    public mutating func connect(at now: Duration) -> AttributeServer {
        timeoutEnds = description.lockout.map { now + $0.timeout }
        return AttributeServer(table, maximumMTU: 247)
    }

    /// Answers a packet.
    public mutating func receive(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        server.receive(packet).answer.map { [.send($0, at: now)] } ?? []
    }

    /// When a central without a password is disconnected.
    public var announcementDue: Duration? { timeoutEnds }

    /// Disconnects it, and refuses connections for a while.
    public mutating func announce(by server: inout AttributeServer, at now: Duration) -> [BeaconReaction] {
        timeoutEnds = nil
        refusesUntil = now + (description.lockout?.refusal ?? .zero)
        return [.disconnect(at: now)]
    }

    /// Ends the link.
    public mutating func disconnect(at now: Duration) -> Duration? {
        timeoutEnds = nil
        return nil
    }

    /// Restarts after a short power loss.
    public mutating func reset(at now: Duration) -> Duration {
        timeoutEnds = nil
        refusesUntil = .zero
        return .zero
    }

    /// Unchanged: this beacon has no pending work.
    public func settled(at now: Duration, before reset: Duration?) -> AdvertiserDevice { self }

    private var table: AttributeTable {
        func entry(_ number: UInt16, _ value: [UInt8]) -> AttributeTable.Entry {
            AttributeTable.Entry(BluetoothUUID(number), .read, value: value)
        }
        let generic = AttributeTable.Service(
            BluetoothUUID(0x1800), [entry(0x2A00, Array(plan.advertiser.name.utf8))])
        let information = AttributeTable.Service(
            BluetoothUUID(0x180A),
            description.information.sorted { $0.key < $1.key }.map { entry($0.key, $0.value) })
        return AttributeTable(
            [generic] + (description.information.isEmpty ? [] : [information]) + plan.advertiser.services)
    }
}

/// A simulated beacon that only advertises its identity.
public typealias AdvertisingBeacon = SimulatedBeacon<AdvertiserDevice>
