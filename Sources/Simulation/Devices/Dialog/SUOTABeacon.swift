public import Bluetooth

/// A simulated beacon with SUOTA.
public typealias SUOTABeacon = SimulatedBeacon<SUOTADevice>

extension SimulatedBeacon<SUOTADevice> {
    /// A beacon as described, or one that resumes from an earlier run of the program with the bytes of its memory: to
    /// the beacon, the time between the runs is a power loss.
    public init(
        _ description: SUOTADescription, time: Timekeeper, faults: [Fault] = [], retained: [UInt8]? = nil,
        memory: (any BeaconMemory)? = nil
    ) {
        let device = SUOTADevice(description, faults: faults, retained: retained, at: time.now)
        memory?.remember(image: device.flash.content(0..<description.personality.flashSize)[...], at: 0)
        // A new beacon has been up for a while.
        self.init(
            device, time: time, faults: faults, startingIn: retained == nil ? .zero : device.boot.time,
            memory: memory)
    }

    /// The running image; nil if nothing runs, which no update may ever cause.
    public var runningImage: SUOTABoot.Image? {
        let device = current
        return device.boot.isAlive && time.now >= awakens ? device.boot.image : nil
    }

    /// The image that a reset at this moment would start.
    public var nextImage: SUOTABoot.Image? {
        var copy = current
        _ = copy.reset(at: time.now)
        return copy.boot.isAlive ? copy.boot.image : nil
    }

    /// The receiver in its current state.
    public var state: any SUOTAReceiver { current.receiver }

    /// What the beacon has recorded.
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
