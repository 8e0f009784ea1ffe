public import Bluetooth

/// A model of the radio link between two devices: what one packet costs, and how many fit in an event.
///
/// With an endless event: 98.9 kB/s for 244-byte writes on LE 1M, 175.3 on LE 2M, 29.6 for 20-byte writes without data
/// length extension (Vol 6, Part B, 2.1 and 4.1.2).
public struct LinkModel: Hashable, Sendable {
    public typealias PHY = Bluetooth.PHY

    /// A change of the interval during a link.
    public struct Change: Hashable, Sendable {
        /// Time since the start of the link.
        public var moment: Duration
        /// Time from one connection event to the next, from then on.
        public var interval: Duration

        public init(_ moment: Duration, _ interval: Duration) {
            (self.moment, self.interval) = (moment, interval)
        }
    }

    public var phy = PHY.le1M
    /// Time from one connection event to the next.
    public var interval = Duration.milliseconds(15)
    /// Whether the link takes the interval that the adapter's user requests, instead of this one.
    public var followsRequests = false
    /// The part of the interval that both sides give this link: 7.5 ms in stock bootloaders (nordic-secure.md, Timing).
    public var eventLength = Duration.microseconds(7500)
    /// Most data packets that an event carries; nil if only its length is the limit.
    public var packetsPerEvent: Int?
    /// Octets in a data packet: 251, or 27 without data length extension.
    public var dataLength = 251
    /// Whether packets carry the 4 octets of a message integrity check (Vol 6, Part B, 2.4).
    public var isEncrypted = false
    /// The probability that an exchange of packets is lost, from 0 to 1; the link layer repeats it.
    public var loss = 0.0
    /// The changes of the interval that the peripheral requests and gets, in the order of their times.
    public var changes: [Change] = []
    /// Seed of the losses: the same seed and the same packets give the same losses.
    public var seed: UInt64 = 0

    /// A link as a stock bootloader requests it.
    public init() {}

    /// The model after a request for `interval`, within the allowed range (Vol 6, Part B, 4.5.1).
    func requesting(interval: Duration) -> LinkModel {
        followsRequests ? with(interval: min(max(interval, .microseconds(7500)), .seconds(4))) : self
    }

    /// A copy of the model with another interval, which also limits the length of events.
    func with(interval: Duration) -> LinkModel {
        var model = self
        model.interval = interval
        model.eventLength = min(eventLength, interval)
        return model
    }

    /// A copy of the model on `phy`, or on the same PHY if that is nil.
    func on(_ phy: PHY?) -> LinkModel {
        var model = self
        model.phy = phy ?? self.phy
        return model
    }

    /// Octets in a data packet. On LE Coded, one of 251 octets takes 17 ms, so a link takes the longest packets that
    /// its events have room for, with 27 octets at least (Vol 6, Part B, 4.5.10).
    var packetOctets: Int {
        guard phy == .leCoded else { return dataLength }
        let room = eventLength - exchange(octets: 0)
        return min(dataLength, max(27, Int(clamping: room.nanoseconds / Self.codedOctet.nanoseconds)))
    }

    /// The time of an octet at 125 kbit/s, with eight symbols for each bit (Vol 6, Part B, 2.2.2).
    private static let codedOctet = Duration.microseconds(64)

    /// Time on air for `octets`, with preamble, access address, header and CRC.
    func airtime(_ octets: Int) -> Duration {
        switch phy {
        case .le1M: .microseconds(8 * (octets + 10))
        case .le2M: .microseconds(4 * (octets + 11))
        // Preamble, access address, coding indicator and two terminators take 400 µs.
        case .leCoded: Self.codedOctet * (octets + 5) + .microseconds(400)
        }
    }

    /// One data packet of `octets`, the empty packet that answers it after 150 µs, and 150 µs before the next. An empty
    /// packet has no integrity check.
    func exchange(octets: Int) -> Duration {
        airtime(octets + (isEncrypted ? 4 : 0)) + airtime(0) + .microseconds(300)
    }

    /// One attribute packet of `count` bytes, in as many data packets as it needs. The L2CAP header takes 4 octets.
    package func exchange(packet count: Int) -> Duration {
        let (full, last) = (count + 4).quotientAndRemainder(dividingBy: packetOctets)
        return exchange(octets: packetOctets) * full + (last == 0 ? .zero : exchange(octets: last))
    }

    /// The highest rate of write commands of `count` bytes, in bytes a second without losses.
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
        // If all packets fit in one event, there are no further events to average over.
        guard whole.events > 0 else { return Double(packets * count) / (events.lastArrival / .seconds(1)) }
        return Double(whole.packets * count) / (interval * whole.events / .seconds(1))
    }
}
