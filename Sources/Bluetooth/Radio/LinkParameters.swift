public enum LinkChannel: Hashable, Sendable {
    /// The attribute protocol's fixed channel.
    case attributes
    /// A credit-based channel to a protocol/service multiplexer (Vol 3, Part A, 4.22).
    case creditBased(psm: UInt16)
}

/// The modulation of a link (Vol 6, Part B, 2.1).
public enum PHY: String, Hashable, Sendable {
    case le1M = "1M"
    case le2M = "2M"
    /// Coded for range, at most half a megabit a second.
    case leCoded = "coded"
}

/// The parameters requested for a link; a peer that grants less is not an error.
public struct LinkRequest: Hashable, Sendable {
    /// Time between two connection events.
    public var interval: Duration
    /// How long a link lives without packets. Erasing a flash page alone silences a beacon for 90 ms.
    public var supervisionTimeout = Duration.seconds(6)
    /// The order of connections that wait for one adapter: highest first, then earliest.
    public var priority: Int
    /// Whether the user has chosen the interval: it does not depend on other links then.
    package private(set) var isIntervalChosen = false
    /// Whether the user has chosen how long connecting may take: then the limit is not extended for a peer that
    /// advertises rarely.
    package var isLimitChosen = false

    /// A link for flashing: interval 15 ms, supervision timeout 6 s, as Nordic's bootloaders request (nordic-secure.md,
    /// Layout).
    public init(interval: Duration = .milliseconds(15), priority: Int = 0) {
        (self.interval, self.priority) = (interval, priority)
    }

    /// Asks for the `interval` of a user, of at most 4 s, and for a supervision timeout of at least six intervals: it
    /// must be longer than two intervals, and is at most 32 s (Vol 6, Part B, 4.5.2).
    package mutating func choose(_ interval: Duration) {
        self.interval = interval
        supervisionTimeout = max(supervisionTimeout, interval * 6)
        isIntervalChosen = true
    }
}

/// The parameters of a link; nil where the adapter does not report them.
public struct LinkParameters: Hashable, Sendable {
    public var interval: Duration?
    /// The modulation that we send with.
    public var phy: PHY?
    /// The longest packet that a credit-based channel takes, in bytes; nil for attributes.
    public var maximumPacket: Int?
    /// The packet size that every credit-based channel accepts (Vol 3, Part A, 4.22).
    package static let leastPacket = 23

    public init(interval: Duration? = nil, phy: PHY? = nil, maximumPacket: Int? = nil) {
        (self.interval, self.phy, self.maximumPacket) = (interval, phy, maximumPacket)
    }
}
