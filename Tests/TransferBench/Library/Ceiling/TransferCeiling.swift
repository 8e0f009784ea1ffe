public import SimulatedDevice
public import SimulatedRadio

/// The time that a perfect sender takes for an image, in named terms: an upper bound of what any sender can
/// reach on the same link and the same flash (docs/performance.md derives it).
///
/// From the first request of a link that nothing was sent on, up to the answer to the last Execute. The
/// perfect sender knows every time of the device beforehand. It sends each packet in the first connection event
/// in which the device has room for it, and each request as soon as the answer before it is there.
public struct TransferCeiling: Hashable, Sendable {
    /// What is sent, in bytes.
    public struct Cargo: Hashable, Sendable {
        /// The firmware.
        public var image: Int
        /// The init packet.
        public var initPacket: Int
        /// What a packet carries.
        public var payload: Int

        /// So many bytes of each.
        public init(image: Int, initPacket: Int, payload: Int) {
            self.image = image
            self.initPacket = initPacket
            self.payload = payload
        }
    }

    /// The events that carry packets, but for the one in each object that carries the request after them too.
    public let air: Duration
    /// Two connection intervals for each request and its answer: notifications on (2), Set PRN, Select (2), and
    /// Create, Get CRC and Execute of the init packet and of each object. The last answer has no second interval.
    public let answers: Duration
    /// What erasing and writing add: the part of them that overlaps neither with packets nor with answers.
    public let flash: Duration
    /// How many requests are answered.
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

    /// The ceiling for `cargo` over a link that loses nothing, to a bootloader of `personality`.
    public init(
        of cargo: Cargo, over link: LinkModel, to personality: BootloaderPersonality, timing: FlashTiming
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
