public import Simulation

/// The time that a perfect sender of SUOTA takes for an image, in named terms: an upper bound of what any sender can
/// reach on the same link and the same receiver (docs/performance.md derives it).
///
/// From MEM_DEV on a link with notifications on up to the 02 after END. The perfect sender fills each connection event,
/// and continues in the first one after each answer; it uses no time of its own.
public struct SUOTACeiling: Hashable, Sendable {
    /// The image that is sent, and the way.
    public struct Cargo: Hashable, Sendable {
        /// The way of the bytes.
        public enum Way: Hashable, Sendable {
            /// In blocks that are answered, cut into writes of `chunk` bytes.
            case attributes(block: Int, chunk: Int)
            /// In packets of this many bytes.
            case channel(packet: Int)
        }

        /// The code of the image, in bytes; a header precedes it.
        public var code: Int
        /// The way.
        public var way: Way

        /// The given size and way.
        public init(code: Int, way: Way) {
            self.code = code
            self.way = way
        }
    }

    /// The events that carry the image, without the one for each block that carries its answer.
    public let air: Duration
    /// The two intervals of each request and of each answer to a block: the next packet goes out in the next event.
    public let answers: Duration
    /// The time that erasing and writing add.
    public let flash: Duration
    /// Requests and blocks that are answered.
    public let requests: Int
    /// Bytes of the file.
    public let image: Int

    /// From MEM_DEV to the last 02.
    public var total: Duration { air + answers + flash }
    /// The file by `total`.
    public var bytesPerSecond: Double { Double(image) / (total / .seconds(1)) }

    /// The ceiling for `cargo` over a link without losses; nil if the receiver would not accept it.
    public init?(of cargo: Cargo, over link: LinkModel, to personality: SUOTAPersonality) {
        var instant = personality
        instant.timing = .instant
        var real = PerfectSUOTASender(link, personality)
        var quick = PerfectSUOTASender(link, instant)
        guard real.send(cargo), quick.send(cargo) else { return nil }
        air = quick.carrying
        answers = quick.now - quick.carrying
        flash = real.now - quick.now
        requests = real.requests
        image = real.image
    }
}
