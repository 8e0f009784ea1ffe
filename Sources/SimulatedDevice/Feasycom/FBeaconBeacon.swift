public import Timing

/// A beacon that takes FBeacon updates, in memory.
public typealias FBeaconBeacon = SimulatedBeacon<FBeaconDevice>

extension SimulatedBeacon<FBeaconDevice> {
    /// A beacon as described, or one that goes on from an earlier run of the program with the bytes of its memory: to
    /// it the time between is a loss of power.
    public init(
        _ description: FBeaconDescription, time: Timekeeper, faults: [Fault] = [], retained: [UInt8]? = nil,
        memory: (any BeaconMemory)? = nil
    ) {
        let device = FBeaconDevice(description, faults: faults, retained: retained, at: time.now)
        memory?.remember(image: device.flash.content(0..<description.flashSize)[...], at: 0)
        // One that is new has been up for long.
        let delay = retained == nil ? .zero : description.startTime
        self.init(device, time: time, faults: faults, startingIn: delay, memory: memory)
    }

    /// The application that runs; nil when none does.
    public var runningFirmware: FBeaconFirmware? {
        let device = current
        return time.now >= awakens ? device.running : nil
    }

    /// What the beacon has seen.
    public var statistics: FBeaconStatistics {
        var statistics = device.statistics(at: time.now)
        statistics.packetsReceived = faults.packets
        statistics.commandsReceived = faults.commands
        statistics.links = links
        return statistics
    }
}
