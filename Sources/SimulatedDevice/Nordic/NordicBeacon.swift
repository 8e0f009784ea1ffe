public import Timing

/// A beacon with a Nordic bootloader in memory.
public typealias NordicBeacon = SimulatedBeacon<NordicDevice>

extension SimulatedBeacon<NordicDevice> {
    /// A beacon as described, or one that goes on from an earlier run of the program.
    ///
    /// `retainedImage` is the flash from the application's start, as a `BeaconMemory` has kept it.
    public init(
        _ description: NordicDescription, time: Timekeeper, faults: [Fault] = [],
        retained: RetainedState? = nil, retainedImage: [UInt8] = [], memory: (any BeaconMemory)? = nil
    ) {
        let device = NordicDevice(
            description, faults: faults, retained: retained, retainedImage: retainedImage, at: time.now)
        self.init(
            device, time: time, faults: faults,
            startingIn: device.startsSlowly ? FaultPlan(faults).startDelay : .zero, memory: memory)
    }

    /// What runs now.
    public var mode: Restart.Program { current.program }

    /// The application that runs: its exact bytes and its version; nil while the bootloader does.
    public var runningApplication: (image: [UInt8], version: UInt32)? {
        let device = current
        guard device.program == .application else { return nil }
        return (device.bootloader.applicationImage, device.runningVersion)
    }

    /// The bootloader as it is now.
    public var state: any Bootloader { current.bootloader }

    /// What the beacon has seen.
    public var statistics: NordicStatistics {
        var statistics = NordicStatistics()
        statistics.packetsReceived = faults.packets
        statistics.commandsReceived = faults.commands
        statistics.bootloader = device.bootloader.statistics
        return statistics
    }

    /// What a KBeacon's session has seen; nil for other beacons.
    public var session: KBeaconStatistics? { current.kbeacon?.statistics(at: time.now) }

    /// Wakes a KBeacon that was switched off, as its button does when it is held.
    public func holdButton() {
        device.kbeacon?.memory.isOff = false
        persist(at: time.now)
    }

    /// Starts the bootloader, as a button held at power-up does.
    public func startBootloader() {
        let now = time.now
        restart(at: now)
        awakens = now + faults.startDelay
        device.stayInBootloader(from: awakens)
        persist(at: now)
    }
}
