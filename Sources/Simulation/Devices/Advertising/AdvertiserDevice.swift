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

    /// Its plan.
    public var advertising: BeaconAdvertising? {
        BeaconAdvertising(plan, from: address, rssi: description.rssi)
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

    private var table: AttributeTable {
        let values = description.information.sorted { $0.key < $1.key }
        let information = values.isEmpty ? [] : [AttributeTable.Service.readable(0x180A, values)]
        return AttributeTable(
            [.genericAccess(plan.advertiser.name)] + information + plan.advertiser.services)
    }
}

/// A simulated beacon that only advertises its identity.
public typealias AdvertisingBeacon = SimulatedBeacon<AdvertiserDevice>
