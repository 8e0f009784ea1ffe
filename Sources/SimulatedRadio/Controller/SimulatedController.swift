/// One of the adapters of a simulated air: its controller, where it stands, and how the host connects with it.
public struct SimulatedController: Hashable, Sendable {
    /// How a link comes about.
    public enum Connecting: String, CaseIterable, Sendable {
        /// As soon as it is asked for, from whoever advertises; any number at once.
        case instant
        /// As Linux does it: a passive scan until the peer is heard, then LE Create Connection until its next
        /// advertisement. One at a time; of those that wait, whoever is heard first. (docs/decisions/0044)
        case kernel
        /// By the controller's filter accept list, with all who wait: the next advertisement of any of them is a link.
        case acceptList = "accept-list"
    }

    /// Its name.
    public var name: String
    /// How it connects.
    public var connecting: Connecting
    /// How many links it holds, from 1; nil for any number.
    public var links: Int?
    /// How much louder than their own strength it hears all beacons, in dB; softer where it is negative.
    public var gain: Int
    /// How much louder or softer, at most and in dB, it hears each: not all are equally near. The same beacon is
    /// always the same to it.
    public var spread: Int
    /// When it is pulled out, and when it is plugged in again, in turn, from the beginning of the run.
    public var unplugged: [Duration]
    /// Its name after it was plugged in again: a kernel may give it another number. Nil where it keeps its name.
    public var returningName: String?
    /// What is plugged in again is another adapter, which nobody takes for this one.
    public var isReplaced: Bool

    /// An adapter that connects at once, holds any number of links, and hears all beacons as they are.
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

    /// How much louder it hears the beacon with this number among those of the air, in dB.
    func gain(of beacon: Int) -> Int {
        guard spread > 0 else { return gain }
        let place = name.utf8.reduce(into: UInt64(beacon)) { $0 = $0 &* 257 &+ UInt64($1) }
        var numbers = SplitMix64(seed: place)
        return gain + Int(numbers.next() % UInt64(2 * spread + 1)) - spread
    }
}
