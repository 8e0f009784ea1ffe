public import BluetoothTypes

/// A device whose application hosts the SUOTA service, as a value.
public struct SUOTADevice: BeaconDevice {
    /// What it is, and what was in it at first.
    public let description: SUOTADescription
    /// What takes updates.
    public internal(set) var receiver: any SUOTAReceiver
    /// What runs.
    public private(set) var boot: SUOTABoot

    var faults: SUOTAFaultPlan
    /// What STATUS said, in order.
    var statuses: [UInt8] = []
    /// Who may write to its service.
    var gate: SUOTAGate
    /// Write Requests that were answered with an error.
    var refusals = 0

    /// A device as described, or one that goes on from an earlier run of the program with the bytes of its memory: to
    /// it the time between is a loss of power.
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

    /// The address at which it is always found.
    public var address: DeviceAddress { description.address }

    /// The memory with the images.
    public var flash: FlashModel {
        get { receiver.flash }
        set { receiver.flash = newValue }
    }

    /// Its service, unless it is silent about that, its battery and its name.
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

    /// What it sends by its plan, where it has one.
    public func reports(after earlier: Duration, through now: Duration) -> [Advertisement] {
        guard boot.isAlive, let plan = description.advertising else {
            guard timeline?.comes(after: earlier, through: now) ?? true else { return [] }
            return advertisement(at: now).map { [$0] } ?? []
        }
        return plan.reports(after: earlier, through: now, from: address, rssi: description.rssi)
    }

    /// When its plan has the next frame, or it advertises next.
    public func nextReport(after now: Duration) -> Duration {
        description.advertising?.nextReport(after: now) ?? timeline?.next(after: now)
            ?? now + .milliseconds(100)
    }

    private var timeline: AdvertisingTimeline? {
        description.advertisingInterval.map { AdvertisingTimeline(every: $0, at: address) }
    }

    /// Whether something runs, and its plan lets somebody in.
    public func takesLink(at now: Duration) -> Bool {
        boot.isAlive && description.advertising?.isConnectable(at: now) ?? true
    }

    private var batteryFrames: [AdvertisingData.Element] {
        // The byte of the version is what its text begins with.
        let major = boot.image.flatMap { UInt8($0.version.prefix { $0 != "." }) } ?? 0
        return [
            description.batteryPercent.map { BatteryFrames.aSensor($0, address, version: major) },
            description.batteryMillivolts.map(BatteryFrames.telemetry),
        ].compactMap(\.self)
    }

    /// The link has ended.
    public mutating func disconnect(at now: Duration) -> Duration? { receiver.disconnect(at: now) }

    /// Power goes or a reset comes.
    public mutating func reset(at now: Duration) -> Duration {
        boot = receiver.reset(at: now)
        return boot.time
    }

    /// The link, or power, goes in the middle of a block.
    public mutating func linkFault() -> LinkFault? { faults.linkFault(receiver) }

    /// The same device once its flash has nothing left to do.
    public func settled(at now: Duration, before reset: Duration?) -> SUOTADevice {
        var copy = self
        copy.flash.advance(to: flash.idle(at: now))
        return copy
    }
}
