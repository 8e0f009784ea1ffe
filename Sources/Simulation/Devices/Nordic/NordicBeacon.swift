public import Bluetooth

public typealias NordicBeacon = SimulatedBeacon<NordicDevice>

extension SimulatedBeacon<NordicDevice> {
    /// A beacon as described, or one that resumes from an earlier run of the program.
    ///
    /// `retainedImage` is the flash from the start of the application, as a `BeaconMemory` has stored it.
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

    public var mode: Restart.Program { current.program }

    /// The exact bytes and the version of the running application; nil while the bootloader runs.
    public var runningApplication: (image: [UInt8], version: UInt32)? {
        let device = current
        guard device.program == .application else { return nil }
        return (device.bootloader.applicationImage, device.runningVersion)
    }

    package var state: any Bootloader { current.bootloader }

    package var statistics: NordicStatistics {
        NordicStatistics(
            packetsReceived: faults.packets, commandsReceived: faults.commands,
            bootloader: device.bootloader.statistics)
    }

    package var session: KBeaconStatistics? { current.kbeacon?.statistics(at: time.now) }

    /// Wakes a KBeacon that was switched off, as holding its button does.
    public func holdButton() {
        device.kbeacon?.memory.isOff = false
        persist(at: time.now)
    }

    /// Starts the bootloader, as a button held at power-up does.
    public func startBootloader() {
        let now = time.now
        restart(at: now)
        programStart = now + faults.startDelay
        device.stayInBootloader(from: programStart)
        persist(at: now)
    }
}

package struct NordicStatistics: Hashable, Sendable {
    package internal(set) var packetsReceived = 0
    /// The Write Commands among `packetsReceived`, including those lost on the air.
    package internal(set) var commandsReceived = 0
    package internal(set) var bootloader = BootloaderStatistics()
}
