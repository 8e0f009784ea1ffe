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

    /// The modulation.
    public var phy = PHY.le1M
    /// Time from one connection event to the next.
    public var interval = Duration.milliseconds(15)
    /// How much of it both ends leave for this link: a stock Nordic bootloader 7.5 ms (nordic-secure.md, Timing).
    public var eventLength = Duration.microseconds(7500)
    /// Octets in a data packet: 251, or 27 without data length extension.
    public var dataLength = 251

    /// A link as a stock bootloader asks for it.
    public init() {}

    /// Time on air for `octets`, with preamble, access address, header and CRC.
    func airtime(_ octets: Int) -> Duration {
        switch phy {
        case .le1M: .microseconds(8 * (octets + 10))
        case .le2M: .microseconds(4 * (octets + 11))
        }
    }

    /// One attribute packet of `count` bytes: data packets, each answered by an empty one 150 µs away, and
    /// 150 µs before the next. The L2CAP header takes 4 octets.
    func exchange(packet count: Int) -> Duration {
        let overhead = .microseconds(300) + airtime(0)
        let (full, last) = (count + 4).quotientAndRemainder(dividingBy: dataLength)
        return (airtime(dataLength) + overhead) * full + (last == 0 ? .zero : airtime(last) + overhead)
    }

    /// The most bytes a second that write commands of `count` bytes can carry.
    public func bytesPerSecond(writing count: Int) -> Double {
        (eventLength / exchange(packet: count + 3)).rounded(.down) * Double(count) / (interval / .seconds(1))
    }
}
