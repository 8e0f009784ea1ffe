public import Timing

/// A beacon with SUOTA in memory.
public typealias SUOTABeacon = SimulatedBeacon<SUOTADevice>

extension SimulatedBeacon<SUOTADevice> {
    /// A beacon as described, or one that goes on from an earlier run of the program with the bytes of its
    /// memory: to it the time between is a loss of power.
    public init(
        _ description: SUOTADescription, time: Timekeeper, faults: [Fault] = [], retained: [UInt8]? = nil,
        memory: (any BeaconMemory)? = nil
    ) {
        let device = SUOTADevice(description, faults: faults, retained: retained, at: time.now)
        memory?.remember(image: device.flash.content(0..<description.personality.flashSize)[...], at: 0)
        // It has been up for long.
        self.init(
            device, time: time, faults: faults, startingIn: retained == nil ? .zero : device.boot.time,
            memory: memory)
    }

    /// What runs; nil when nothing does, which no update may leave behind.
    public var runningImage: SUOTABoot.Image? {
        let device = current
        return device.boot.isAlive && time.now >= awakens ? device.boot.image : nil
    }

    /// What the next reset would start, if it came now.
    public var nextImage: SUOTABoot.Image? {
        var copy = current
        _ = copy.reset(at: time.now)
        return copy.boot.isAlive ? copy.boot.image : nil
    }

    /// The receiver as it is now.
    public var state: any SUOTAReceiver { current.receiver }

    /// What the beacon has seen.
    public var statistics: SUOTAStatistics {
        var statistics = SUOTAStatistics()
        statistics.packetsReceived = faults.packets
        statistics.commandsReceived = faults.commands
        statistics.links = links
        statistics.channels = channels
        statistics.statuses = device.statuses
        statistics.refusals = device.refusals
        statistics.receiver = device.receiver.record
        return statistics
    }
}
