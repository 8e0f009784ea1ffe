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
    package var runningImage: SUOTABoot.Image? {
        let device = current
        return device.boot.isAlive && time.now >= awakens ? device.boot.image : nil
    }

    /// The image that a reset at this moment would start.
    package var nextImage: SUOTABoot.Image? {
        var copy = current
        _ = copy.reset(at: time.now)
        return copy.boot.isAlive ? copy.boot.image : nil
    }

    package var state: any SUOTAReceiver { current.receiver }

    package var statistics: SUOTAStatistics {
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

package struct SUOTAStatistics: Hashable, Sendable {
    /// Packets of any kind, including those of the channel.
    package internal(set) var packetsReceived = 0
    /// Write Commands and channel packets among them, including those lost on the air.
    package internal(set) var commandsReceived = 0
    package internal(set) var links = 0
    package internal(set) var channels = 0
    /// The values of STATUS, in order, whether or not they were received.
    package internal(set) var statuses: [UInt8] = []
    /// Write Requests answered with an error.
    package internal(set) var refusals = 0
    package internal(set) var receiver = SUOTARecord()

    init() {}
}

/// What a device with SUOTA starts after a reset (dialog-suota.md, Which image starts).
package struct SUOTABoot: Hashable, Sendable {
    package struct Image: Hashable, Sendable {
        package let version: String
        /// Unix seconds in its header.
        package let timestamp: UInt32
        package let payload: [UInt8]
        /// The bank that it came from, 1 or 2; 1 if a loader copies images.
        package let bank: Int
        /// Whether its CRC-32 is correct. A 58x starts a single image even if it is not.
        package let isIntact: Bool
    }

    /// The running image; nil if nothing runs.
    package let image: Image?
    /// The time until the image is up.
    package let time: Duration

    package var isAlive: Bool { image?.isIntact == true }
}

/// Something that a client of a SUOTA receiver must never do, although some receivers accept it (dialog-suota.md,
/// Receivers 58x, Receivers 68x and 69x).
package enum SUOTAClientError: String, CaseIterable, Hashable, Sendable {
    /// END directly after a start: 58x answers 02 and writes to a wrong place in flash.
    case endWithoutData = "END without data"
    /// END after END: 68x answers 04 after a successful first one.
    case endTwice = "END twice"
    case endWithoutStart = "END without start"
    /// END while image bytes are missing: 58x does not count them.
    case endBeforeAllBlocks = "END before all blocks"
    /// PATCH_LEN 0: it would keep a 68x busy forever.
    case patchLengthZero = "PATCH_LEN 0"
    case blockBeforeAnswer = "block before answer"
    /// A second start on 68x without ABORT: it costs the receiver a buffer.
    case startWithoutAbort = "start without ABORT"
    case channelInAttributeMode = "channel in GATT mode"
}

extension SUOTAClientError: ClientRule {
    var broken: BrokenRule {
        let (id, heading) =
            switch self {
            case .endWithoutData: ("end-without-data", "Receivers 58x")
            case .endTwice: ("end-twice", "Receivers 68x and 69x")
            case .endWithoutStart: ("end-without-start", "Commands")
            case .endBeforeAllBlocks: ("end-before-all-blocks", "Receivers 58x")
            case .patchLengthZero: ("patch-length-zero", "Receivers 68x and 69x")
            case .blockBeforeAnswer: ("block-before-answer", "Blocks")
            case .startWithoutAbort: ("start-without-abort", "Receivers 68x and 69x")
            case .channelInAttributeMode: ("channel-in-attribute-mode", "Channel")
            }
        return BrokenRule("suota-" + id, rawValue, in: "dialog-suota.md, \(heading)")
    }
}

package struct SUOTARecord: Hashable, Sendable {
    /// Starts answered with 10.
    package internal(set) var starts = 0
    /// Blocks answered with 02.
    package internal(set) var blocks = 0
    /// Image bytes received, over the attributes or the channel, including repeated ones.
    package internal(set) var bytes = 0
    package internal(set) var channelPackets = 0
    package internal(set) var ends = 0
    package internal(set) var reboots = 0
    package internal(set) var resets = 0
    package internal(set) var clientErrors: [SUOTAClientError] = []

    init() {}
}
