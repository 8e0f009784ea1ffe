public import Bluetooth

/// A beacon that only advertises by its plan, as a value. Connected clients can read Device Information.
public struct AdvertiserDevice: BeaconDevice {
    public let description: AdvertiserDescription
    /// Unused: nothing is ever written to this beacon.
    public var flash = FlashModel(timing: .instant, capacity: 1)

    private let plan: AdvertisingPlan
    /// When the connected central is disconnected for lack of a password; nil for never.
    private var timeoutEnds: Duration?
    private var refusesUntil = Duration.zero

    public init(_ description: AdvertiserDescription, at now: Duration) {
        self.description = description
        var plan = description.plan
        plan.start = now
        self.plan = plan
    }

    public var address: DeviceAddress { description.address }

    public var advertising: BeaconAdvertising? {
        BeaconAdvertising(plan, from: address, rssi: description.rssi)
    }

    public func takesLink(at now: Duration) -> Bool { now >= refusesUntil && plan.isConnectable(at: now) }

    public mutating func connect(at now: Duration) -> AttributeServer {
        timeoutEnds = description.lockout.map { now + $0.timeout }
        return AttributeServer(table, maximumMTU: 247)
    }

    public mutating func receive(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        server.receive(packet).answer.map { [.send($0, at: now)] } ?? []
    }

    public var announcementDue: Duration? { timeoutEnds }

    public mutating func announce(by server: inout AttributeServer, at now: Duration) -> [BeaconReaction] {
        timeoutEnds = nil
        refusesUntil = now + (description.lockout?.refusal ?? .zero)
        return [.disconnect(at: now)]
    }

    public mutating func disconnect(at now: Duration) -> Duration? {
        timeoutEnds = nil
        return nil
    }

    public mutating func reset(at now: Duration) -> Duration {
        timeoutEnds = nil
        refusesUntil = .zero
        return .zero
    }

    private var table: AttributeTable {
        let values = description.information.sorted { $0.key < $1.key }
        return AttributeTable(
            [.genericAccess(plan.advertiser.name), values.isEmpty ? nil : .readable(0x180A, values)]
                + plan.advertiser.services)
    }
}

public typealias AdvertisingBeacon = SimulatedBeacon<AdvertiserDevice>
