public import Bluetooth

/// A device whose application hosts the SUOTA service, as a value.
public struct SUOTADevice: BeaconDevice {
    /// Its initial configuration.
    public let description: SUOTADescription
    /// The receiver of updates.
    public internal(set) var receiver: any SUOTAReceiver
    /// The running image.
    public private(set) var boot: SUOTABoot

    var faults: SUOTAFaultPlan
    /// The values of STATUS, in order.
    var statuses: [UInt8] = []
    /// The PIN check for its service.
    var gate: SUOTAGate
    /// The number of Write Requests answered with an error.
    var refusals = 0

    /// A device as described, or one that resumes from an earlier run of the program with the bytes of its memory: to
    /// the device, the time between the runs is a power loss.
    public init(
        _ description: SUOTADescription, faults: [Fault] = [], retained: [UInt8]? = nil, at now: Duration
    ) {
        self.description = description
        self.faults = SUOTAFaultPlan(faults)
        gate = SUOTAGate(description.pin)
        var board = description.board
        if self.faults.ignoresReboot { board.resets = false }
        if let status = self.faults.wrongPins {
            board.pins = ~(board.pins ?? 0)
            board.wrongPinsStatus = status
        }
        receiver = description.personality.receiver(board)
        receiver.flash.lostWrites = faults.lostFlashWrites
        if let retained { receiver.flash.place(retained, at: 0) }
        boot = receiver.reset(at: now)
    }

    /// Its address, which never changes.
    public var address: DeviceAddress { description.address }

    /// The memory that holds the images.
    public var flash: FlashModel {
        get { receiver.flash }
        set { receiver.flash = newValue }
    }

    /// Its service, if advertised, its battery and its name.
    public func advertisement(at now: Duration) -> Advertisement? {
        guard boot.isAlive else { return nil }
        if let plan = description.advertising {
            return plan.latest(at: now, from: address, rssi: description.rssi)
        }
        var data = AdvertisingData()
        data.elements = [.flags(0x06)]
        if description.advertisesService {
            data.elements.append(.services([AttributeTable.suotaService], complete: false))
        }
        data.elements += batteryFrames
        data.elements.append(.name(description.name, complete: true))
        return Advertisement(address: address, rssi: description.rssi, isConnectable: true, data: data)
    }

    /// What it sends by its plan, if it has one.
    public func reports(after earlier: Duration, through now: Duration) -> [Advertisement] {
        guard boot.isAlive, let plan = description.advertising else {
            guard timeline?.comes(after: earlier, through: now) ?? true else { return [] }
            return advertisement(at: now).map { [$0] } ?? []
        }
        return plan.reports(after: earlier, through: now, from: address, rssi: description.rssi)
    }

    /// When its plan sends the next frame, or it advertises next.
    public func nextReport(after now: Duration) -> Duration {
        description.advertising?.nextReport(after: now) ?? timeline?.next(after: now)
            ?? now + .milliseconds(100)
    }

    private var timeline: AdvertisingTimeline? {
        description.advertisingInterval.map { AdvertisingTimeline(every: $0, at: address) }
    }

    /// Whether an image runs, and its plan allows a connection.
    public func takesLink(at now: Duration) -> Bool {
        boot.isAlive && description.advertising?.isConnectable(at: now) ?? true
    }

    private var batteryFrames: [AdvertisingData.Element] {
        // The version byte is the number before the first dot of the text.
        let major = boot.image.flatMap { UInt8($0.version.prefix { $0 != "." }) } ?? 0
        return [
            description.batteryPercent.map { BatteryFrames.aSensor($0, address, version: major) },
            description.batteryMillivolts.map(BatteryFrames.telemetry),
        ].compactMap(\.self)
    }

    /// Ends the link.
    public mutating func disconnect(at now: Duration) -> Duration? { receiver.disconnect(at: now) }

    /// Restarts after a power loss or a reset.
    public mutating func reset(at now: Duration) -> Duration {
        boot = receiver.reset(at: now)
        return boot.time
    }

    /// A lost link or power loss in the middle of a block.
    public mutating func linkFault() -> LinkFault? { faults.linkFault(receiver) }

    /// The same device after all pending flash operations.
    public func settled(at now: Duration, before reset: Duration?) -> SUOTADevice {
        var copy = self
        copy.flash.advance(to: flash.idle(at: now))
        return copy
    }
}
