/// The air between two devices as arithmetic: what one packet costs, and how many fit an event.
///
/// With an endless event: 98.9 kB/s for 244-byte writes on LE 1M, 175.3 on LE 2M, 29.6 for 20-byte writes
/// without data length extension (Vol 6, Part B, 2.1 and 4.1.2).
public struct LinkModel: Hashable, Sendable {
    /// The radio's modulation.
    public enum PHY: String, Hashable, Sendable {
        /// One megabit a second.
        case le1M = "1M"
        /// Two megabits a second.
        case le2M = "2M"
    }

    /// Another interval in the middle of a link.
    public struct Change: Hashable, Sendable {
        /// How long after the link's begin.
        public var moment: Duration
        /// Time from one connection event to the next, from then on.
        public var interval: Duration

        /// `interval` from `moment` on.
        public init(_ moment: Duration, _ interval: Duration) {
            self.moment = moment
            self.interval = interval
        }
    }

    /// The modulation.
    public var phy = PHY.le1M
    /// Time from one connection event to the next.
    public var interval = Duration.milliseconds(15)
    /// Whether a link has the interval that the adapter's user asks for, and not this one.
    public var followsRequests = false
    /// How much of it both ends leave for this link: a stock Nordic bootloader 7.5 ms (nordic-secure.md, Timing).
    public var eventLength = Duration.microseconds(7500)
    /// Data packets an event carries at most; nil where only its length counts.
    public var packetsPerEvent: Int?
    /// Octets in a data packet: 251, or 27 without data length extension.
    public var dataLength = 251
    /// Whether packets carry the 4 octets of a message integrity check (Vol 6, Part B, 2.4).
    public var isEncrypted = false
    /// How likely an exchange of packets is lost, from 0 on; the link layer repeats it.
    public var loss = 0.0
    /// When the peripheral asks for another interval, and gets it, in order.
    public var changes: [Change] = []
    /// What the losses of a link depend on, besides what is sent: the same seed loses the same exchanges.
    public var seed: UInt64 = 0

    /// A link as a stock bootloader asks for it.
    public init() {}

    /// The model of a link for which `interval` was asked, within what there is (Vol 6, Part B, 4.5.1).
    func asked(_ interval: Duration) -> LinkModel {
        followsRequests ? having(min(max(interval, .microseconds(7500)), .seconds(4))) : self
    }

    /// The same with another interval, to which events are cut.
    func having(_ interval: Duration) -> LinkModel {
        var model = self
        model.interval = interval
        model.eventLength = min(eventLength, interval)
        return model
    }

    /// Time on air for `octets`, with preamble, access address, header and CRC.
    func airtime(_ octets: Int) -> Duration {
        switch phy {
        case .le1M: .microseconds(8 * (octets + 10))
        case .le2M: .microseconds(4 * (octets + 11))
        }
    }

    /// One data packet of `octets`, answered by an empty one 150 µs away, and 150 µs before the next. An empty
    /// packet has no integrity check.
    func exchange(octets: Int) -> Duration {
        airtime(octets + (isEncrypted ? 4 : 0)) + airtime(0) + .microseconds(300)
    }

    /// One attribute packet of `count` bytes: as many data packets as it takes. The L2CAP header takes 4 octets.
    package func exchange(packet count: Int) -> Duration {
        let (full, last) = (count + 4).quotientAndRemainder(dividingBy: dataLength)
        return exchange(octets: dataLength) * full + (last == 0 ? .zero : exchange(octets: last))
    }

    /// The most bytes a second that write commands of `count` bytes can carry where nothing is lost.
    public func bytesPerSecond(writing count: Int) -> Double {
        var model = self
        model.loss = 0
        var events = ConnectionEvents(model)
        var packets = 0
        var whole = (packets: 0, events: 0)
        while packets < 1000 {
            _ = events.arrival(of: count + 3, readyAt: .zero)
            if events.event > whole.events { whole = (packets, events.event) }
            packets += 1
        }
        // An event that takes them all has no others to compare with.
        guard whole.events > 0 else { return Double(packets * count) / (events.lastArrival / .seconds(1)) }
        return Double(whole.packets * count) / (interval * whole.events / .seconds(1))
    }
}
