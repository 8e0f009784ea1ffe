public import BluetoothTypes

/// A beacon that only tells who it is, as a value: it advertises by its plan, and whoever connects can read Device
/// Information.
public struct AdvertiserDevice: BeaconDevice {
    /// What it is.
    public let description: AdvertiserDescription
    /// Nothing is ever written to it.
    public var flash = FlashModel(timing: .instant, capacity: 1)

    private let plan: AdvertisingPlan
    /// When whoever is connected is sent away.
    private var timeoutEnds: Duration?
    /// Until when nobody is let in.
    private var refusesUntil = Duration.zero

    /// A beacon that comes up at `now`.
    public init(_ description: AdvertiserDescription, at now: Duration) {
        self.description = description
        var plan = description.plan
        plan.start = now
        self.plan = plan
    }

    /// Where it always is.
    public var address: DeviceAddress { description.address }

    /// The frame that it sent last.
    public func advertisement(at now: Duration) -> Advertisement? {
        plan.latest(at: now, from: address, rssi: description.rssi)
    }

    /// The frames of its plan.
    public func reports(after earlier: Duration, through now: Duration) -> [Advertisement] {
        plan.reports(after: earlier, through: now, from: address, rssi: description.rssi)
    }

    /// When its plan has the next frame.
    public func nextReport(after now: Duration) -> Duration {
        plan.nextReport(after: now) ?? now + .milliseconds(100)
    }

    /// When its plan says so, and nobody has annoyed it.
    public func takesLink(at now: Duration) -> Bool { now >= refusesUntil && plan.isConnectable(at: now) }

    /// A link begins.
    public mutating func connect(at now: Duration) -> AttributeServer {
        timeoutEnds = description.lockout.map { now + $0.timeout }
        return AttributeServer(table, maximumMTU: 247)
    }

    /// Answers.
    public mutating func receive(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        server.receive(packet).answer.map { [.send($0, at: now)] } ?? []
    }

    /// When a central without a password is sent away.
    public var announcementDue: Duration? { timeoutEnds }

    /// Sends it away, and lets nobody in for a while.
    public mutating func announce(by server: inout AttributeServer, at now: Duration) -> [BeaconReaction] {
        timeoutEnds = nil
        refusesUntil = now + (description.lockout?.refusal ?? .zero)
        return [.disconnect(at: now)]
    }

    /// The link has ended.
    public mutating func disconnect(at now: Duration) -> Duration? {
        timeoutEnds = nil
        return nil
    }

    /// Power goes for a moment.
    public mutating func reset(at now: Duration) -> Duration {
        timeoutEnds = nil
        refusesUntil = .zero
        return .zero
    }

    /// The same: there is nothing that could change.
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

/// A beacon in memory that only tells who it is.
public typealias AdvertisingBeacon = SimulatedBeacon<AdvertiserDevice>
