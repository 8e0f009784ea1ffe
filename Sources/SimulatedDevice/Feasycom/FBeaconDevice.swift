public import BluetoothTypes

/// A Feasycom beacon whose application, and then bootloader, takes FBeacon updates, as a value.
public struct FBeaconDevice: BeaconDevice {
    /// What it does with what is written to it.
    enum Phase: Hashable, Sendable {
        /// It takes commands.
        case commands
        /// It goes into an update when the link ends.
        case leaving
        /// It waits for somebody to send an image to, over a new link.
        case waiting(until: Duration)
        /// It takes an image.
        case transfer
    }

    /// What it is, and what was in it at first.
    public let description: FBeaconDescription
    /// The application that runs; nil where the bootloader is alone.
    public private(set) var running: FBeaconFirmware?

    var receiver: FBeaconReceiver
    var settings: FBeaconSettings
    var session: FBeaconSession
    var phase = Phase.commands
    /// Whether the update that begins asks for the default settings.
    var restoresSettings = false
    /// What it has seen, without transfers.
    var counts = FBeaconStatistics()
    /// Whether the next start is for an update.
    private var startsUpdate = false
    /// When it first came up.
    let start: Duration

    /// A device as described, or one that goes on from an earlier run of the program with the bytes of its memory: to
    /// it the time between is a loss of power.
    public init(
        _ description: FBeaconDescription, faults: [Fault] = [], retained: [UInt8]? = nil, at now: Duration
    ) {
        self.description = description
        receiver = FBeaconReceiver(description, faults)
        settings = FBeaconSettings(description)
        session = FBeaconSession(description.access)
        start = now
        if let retained { receiver.flash.cells.place(retained, at: 0) }
        _ = reset(at: now)
    }

    /// What it has seen, apart from its links; a light or a sound that goes on has lasted until `now`.
    public func statistics(at now: Duration) -> FBeaconStatistics {
        var statistics = counts
        statistics.stopSignals(at: now)
        statistics.transfer = receiver.record
        return statistics
    }

    /// The address at which it is always found.
    public var address: DeviceAddress { description.address }

    /// The memory with settings and images.
    public var flash: FlashModel {
        get { receiver.flash.cells }
        set { receiver.flash.cells = newValue }
    }

    /// The version of the application, or of the one that was there before it was written over.
    var version: UInt16 { receiver.flash.note(of: .application)?.version ?? 0 }

    // MARK: Its life

    /// Until when it waits for the link of an update.
    public var inactivityDeadline: Duration? { if case .waiting(let end) = phase { end } else { nil } }

    /// The link has ended: an update begins, or is over.
    public mutating func disconnect(at now: Duration) -> Duration? {
        counts.stopSignals(at: now)
        switch phase {
        case .commands, .waiting: return nil
        case .leaving: startsUpdate = true
        case .transfer: break
        }
        return receiver.idle(at: now)
    }

    /// Power goes or a reset comes. Without an application the bootloader takes the same commands.
    public mutating func reset(at now: Duration) -> Duration {
        receiver.reset(at: now)
        counts.stopSignals(at: now)
        counts.resets += 1
        let time = description.startTime + receiver.flash.install()
        running = receiver.flash.image(at: .application)
        settings = FBeaconSettings(description)
        settings.read(receiver.flash.settings)
        session = FBeaconSession(description.access)
        phase = startsUpdate ? .waiting(until: now + time + description.transfer.linkTimeout) : .commands
        startsUpdate = false
        return time
    }

    /// The link, or power, goes in the middle of a packet.
    public mutating func linkFault() -> LinkFault? {
        let (packet, isHalfway) = receiver.position
        return isHalfway ? receiver.faults.linkFault(in: packet) : nil
    }

    /// The same device once its flash has nothing left to do.
    public func settled(at now: Duration, before reset: Duration?) -> FBeaconDevice {
        var copy = self
        copy.flash.advance(to: flash.idle(at: now))
        return copy
    }
}
