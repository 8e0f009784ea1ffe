public import Bluetooth

/// A Feasycom beacon that accepts FBeacon updates, in its application and then its bootloader, as a value.
public struct FBeaconDevice: BeaconDevice {
    /// How it interprets writes.
    enum Phase: Hashable, Sendable {
        /// It accepts commands.
        case commands
        /// It enters an update when the link ends.
        case leaving
        /// It waits for a client to send an image over a new link.
        case waiting(until: Duration)
        /// It receives an image.
        case transfer
    }

    /// Its initial configuration.
    public let description: FBeaconDescription
    /// The running application; nil if the bootloader is alone.
    public private(set) var running: FBeaconFirmware?

    var receiver: FBeaconReceiver
    var settings: FBeaconSettings
    var session: FBeaconSession
    var phase = Phase.commands
    /// Whether the update to come restores the default settings.
    var restoresSettings = false
    /// What it has recorded, without transfers.
    var counts = FBeaconStatistics()
    /// Whether the next start is for an update.
    private var startsUpdate = false
    /// When it first started.
    let start: Duration

    /// A device as described, or one that resumes from an earlier run of the program with the bytes of its memory: to
    /// the device, the time between the runs is a power loss.
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

    /// What it has recorded, except its links; an LED or buzzer that is still on counts until `now`.
    public func statistics(at now: Duration) -> FBeaconStatistics {
        var statistics = counts
        statistics.stopSignals(at: now)
        statistics.transfer = receiver.record
        return statistics
    }

    /// Its address, which never changes.
    public var address: DeviceAddress { description.address }

    /// The memory with settings and images.
    public var flash: FlashModel {
        get { receiver.flash.cells }
        set { receiver.flash.cells = newValue }
    }

    /// The version of the application, or of the one that was overwritten.
    var version: UInt16 { receiver.flash.note(of: .application)?.version ?? 0 }

    // MARK: Its life

    /// The deadline for the link of an update.
    public var inactivityDeadline: Duration? { if case .waiting(let end) = phase { end } else { nil } }

    /// Ends the link: an update begins, or is over.
    public mutating func disconnect(at now: Duration) -> Duration? {
        counts.stopSignals(at: now)
        switch phase {
        case .commands, .waiting: return nil
        case .leaving: startsUpdate = true
        case .transfer: break
        }
        return receiver.idle(at: now)
    }

    /// Restarts after a power loss or a reset. Without an application, the bootloader accepts the same commands.
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

    /// A lost link or power loss in the middle of a packet.
    public mutating func linkFault() -> LinkFault? {
        let (packet, isHalfway) = receiver.position
        return isHalfway ? receiver.faults.linkFault(in: packet) : nil
    }

    /// The same device after all pending flash operations.
    public func settled(at now: Duration, before reset: Duration?) -> FBeaconDevice {
        var copy = self
        copy.flash.advance(to: flash.idle(at: now))
        return copy
    }
}
