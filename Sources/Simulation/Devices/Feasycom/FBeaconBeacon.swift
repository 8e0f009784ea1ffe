public import Bluetooth

/// A simulated beacon that accepts FBeacon updates.
public typealias FBeaconBeacon = SimulatedBeacon<FBeaconDevice>

extension SimulatedBeacon<FBeaconDevice> {
    /// A beacon as described, or one that resumes from an earlier run of the program with the bytes of its memory: to
    /// the beacon, the time between the runs is a power loss.
    public init(
        _ description: FBeaconDescription, time: Timekeeper, faults: [Fault] = [], retained: [UInt8]? = nil,
        memory: (any BeaconMemory)? = nil
    ) {
        let device = FBeaconDevice(description, faults: faults, retained: retained, at: time.now)
        memory?.remember(image: device.flash.content(0..<description.flashSize)[...], at: 0)
        // A new beacon has been up for a while.
        let delay = retained == nil ? .zero : description.startTime
        self.init(device, time: time, faults: faults, startingIn: delay, memory: memory)
    }

    /// The running application; nil if none runs.
    public var runningFirmware: FBeaconFirmware? {
        let device = current
        return time.now >= awakens ? device.running : nil
    }

    /// What the beacon has recorded.
    public var statistics: FBeaconStatistics {
        var statistics = device.statistics(at: time.now)
        statistics.packetsReceived = faults.packets
        statistics.commandsReceived = faults.commands
        statistics.links = links
        return statistics
    }
}
