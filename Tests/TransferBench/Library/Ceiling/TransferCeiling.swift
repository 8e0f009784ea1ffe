public import Simulation

/// The time that a perfect sender takes for an image, in named terms: an upper bound of what any sender can reach on
/// the same link and the same flash (docs/performance.md derives it).
///
/// From the first request on a fresh link up to the answer to the last Execute. The perfect sender knows every time of
/// the device beforehand. It sends each packet in the first connection event in which the device has space for it, and
/// each request as soon as the previous answer is there.
public struct TransferCeiling: Hashable, Sendable {
    /// The sizes that are sent, in bytes.
    public struct Cargo: Hashable, Sendable {
        /// The firmware.
        public var image: Int
        /// The init packet.
        public var initPacket: Int
        /// The payload of a packet.
        public var payload: Int

        /// The given sizes.
        public init(image: Int, initPacket: Int, payload: Int) {
            self.image = image
            self.initPacket = initPacket
            self.payload = payload
        }
    }

    /// The events that carry packets, without the one for each object that also carries the next request.
    public let air: Duration
    /// Two connection intervals for each request and its answer: notifications on (2), Set PRN, Select (2), and
    /// Create, Get CRC and Execute of the init packet and of each object. The last answer has no second interval.
    public let answers: Duration
    /// The time that erasing and writing add: the part that overlaps neither with packets nor with answers.
    public let flash: Duration
    /// The number of answered requests.
    public let requests: Int
    /// All erasing, overlapped or not.
    public let erasing: Duration
    /// All writing, overlapped or not.
    public let writing: Duration
    /// Bytes of the image.
    public let image: Int

    /// From the first request to the last answer.
    public var total: Duration { air + answers + flash }
    /// The image by `total`.
    public var bytesPerSecond: Double { Double(image) / (total / .seconds(1)) }

    /// The ceiling for `cargo` over a link without losses, to a bootloader of `personality`.
    public init(
        of cargo: Cargo, over link: LinkModel, to personality: SecurePersonality, timing: FlashTiming
    ) {
        var real = PerfectSender(link, personality, timing)
        real.send(cargo)
        var quick = PerfectSender(link, personality, .instant)
        quick.send(cargo)
        air = quick.carrying
        answers = quick.now - quick.carrying
        flash = real.now - quick.now
        requests = real.requests
        erasing = real.erasing
        writing = real.writing
        image = cargo.image
    }
}
