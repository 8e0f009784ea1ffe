/// One adapter of a simulated air: its controller, its reception, and how the host connects with it.
public struct SimulatedController: Hashable, Sendable {
    /// How a link is made.
    public enum Connecting: String, CaseIterable, Sendable {
        /// At once, without waiting for an advert of the peer; any number at the same time.
        case instant
        /// As Linux does it: a passive scan until the peer is heard, then LE Create Connection until its next advert.
        /// One link at a time; of several pending peers, the first one heard. (docs/decisions/0044)
        case kernel
        /// With the controller's filter accept list of all pending peers: the next advert of any of them makes a link.
        case acceptList = "accept-list"
    }

    /// Its name.
    public var name: String
    /// How it connects.
    public var connecting: Connecting
    /// How many links it holds at most, from 1; nil for any number.
    public var links: Int?
    /// Its gain for all beacons, in dB; negative values make them weaker.
    public var gain: Int
    /// The largest deviation from `gain` for a single beacon, in dB: not all beacons are equally near. A beacon's
    /// deviation is the same in every run.
    public var spread: Int
    /// When it is unplugged and plugged in again, alternately, from the start of the run.
    public var unplugged: [Duration]
    /// Its name after it is plugged in again, as a kernel may give it another number. Nil if it keeps its name.
    public var returningName: String?
    /// Whether what is plugged in again is a different adapter, which does not continue this one.
    public var isReplaced: Bool

    /// An adapter that connects at once, holds any number of links, and hears all beacons at their own strength.
    public init(
        name: String = "sim0", connecting: Connecting = .instant, links: Int? = nil, gain: Int = 0,
        spread: Int = 0, unplugged: [Duration] = [], returningName: String? = nil, isReplaced: Bool = false
    ) {
        self.name = name
        self.connecting = connecting
        self.links = links.map { max(1, $0) }
        self.gain = gain
        self.spread = max(0, spread)
        self.unplugged = unplugged
        self.returningName = returningName
        self.isReplaced = isReplaced
    }

    /// The gain for the beacon with this index among those of the air, in dB.
    func gain(of beacon: Int) -> Int {
        guard spread > 0 else { return gain }
        let place = name.utf8.reduce(into: UInt64(beacon)) { $0 = $0 &* 257 &+ UInt64($1) }
        var numbers = SplitMix64(seed: place)
        return gain + Int(numbers.next() % UInt64(2 * spread + 1)) - spread
    }
}
