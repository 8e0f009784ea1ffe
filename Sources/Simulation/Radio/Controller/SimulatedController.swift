public import Bluetooth

/// One adapter of a simulated air: its controller, its reception, and how the host connects with it.
public struct SimulatedController: Hashable, Sendable {
    public enum Connecting: String, CaseIterable, Sendable {
        /// At once if the peer is advertising, without waiting for its next advert; several links at the same time.
        case instant
        /// As Linux does it: a passive scan until the peer is heard, then LE Create Connection until its next advert.
        /// One link at a time; of several pending peers, the first one heard. (docs/decisions/0011)
        case kernel
        /// With the controller's filter accept list of all pending peers: the next advert of any of them makes a link.
        case acceptList = "accept-list"
    }

    public var name: String
    public var connecting: Connecting
    /// How many links it holds at most, from 1; nil for any number.
    public var links: Int?
    /// Its gain for all beacons, in dB; negative values make them weaker.
    public var gain: Int
    /// The largest deviation from `gain` for one beacon, in dB: distances differ. A beacon's is the same in every run.
    public var spread: Int
    /// The most demanding packets that it hears and connects with, in the order legacy, extended, LE Coded.
    public var hears: AdvertisingPackets
    /// Whether it hears LE Coded too once that is selected, as a kernel's adapter does.
    public var canSelectCoded: Bool
    /// When it is unplugged and plugged in again, alternately, from the start of the run.
    public var unplugged: [Duration]
    /// Its name after it is plugged in again, as a kernel may give it another number. Nil if it keeps its name.
    public var returningName: String?
    /// Whether what is plugged in again is a different adapter, which does not continue this one.
    public var isReplaced: Bool

    /// An adapter that connects at once, holds any number of links, and hears all beacons at their own strength.
    public init(
        name: String = "sim0", connecting: Connecting = .instant, links: Int? = nil, gain: Int = 0,
        spread: Int = 0, hears: AdvertisingPackets = .coded, canSelectCoded: Bool = false,
        unplugged: [Duration] = [], returningName: String? = nil, isReplaced: Bool = false
    ) {
        (self.name, self.connecting, self.links) = (name, connecting, links.map { max(1, $0) })
        (self.gain, self.spread) = (gain, max(0, spread))
        (self.hears, self.canSelectCoded, self.unplugged) = (hears, canSelectCoded, unplugged)
        (self.returningName, self.isReplaced) = (returningName, isReplaced)
    }

    public var coded: CodedReception {
        hears.primary == .leCoded ? .selected : canSelectCoded ? .notSelected : .missing
    }

    /// The gain for the beacon with this index among those of the air, in dB.
    func gain(of beacon: Int) -> Int {
        guard spread > 0 else { return gain }
        let place = name.utf8.reduce(into: UInt64(beacon)) { $0 = $0 &* 257 &+ UInt64($1) }
        var numbers = SplitMix64(seed: place)
        return gain + Int(numbers.next() % UInt64(2 * spread + 1)) - spread
    }
}

extension AdvertisingPackets {
    /// Extended packets on LE 1M, with their data on LE 2M.
    public static let extended2M = extended(primary: .le1M, secondary: .le2M)
    /// Extended packets on LE Coded alone.
    public static let coded = extended(primary: .leCoded, secondary: .leCoded)

    /// The packets by their names in scenarios.
    static let named = ["legacy": legacy, "extended": extended2M, "coded": coded]
    /// What an adapter hears by its name in scenarios, and whether it can select LE Coded.
    static var receptions: [String: (hears: AdvertisingPackets, canSelectCoded: Bool)] {
        named.mapValues { ($0, false) }.merging(["coded-on-request": (extended2M, true)]) { $1 }
    }

    /// Whether an adapter with this reception hears these packets: one for LE Coded hears extended and legacy packets
    /// too, one for extended packets hears legacy ones.
    func isHeard(with reception: AdvertisingPackets) -> Bool {
        func rank(_ kind: AdvertisingPackets) -> Int {
            kind.primary == .leCoded ? 2 : kind.isExtended ? 1 : 0
        }
        return rank(self) <= rank(reception)
    }
}
