/// A channel of a link.
public enum LinkChannel: Hashable, Sendable {
    /// The attribute protocol's fixed channel.
    case attributes
    /// A credit-based channel to a protocol/service multiplexer (Vol 3, Part A, 4.22).
    case creditBased(psm: UInt16)
}

/// The modulation of a link (Vol 6, Part B, 2.1).
public enum PHY: String, Hashable, Sendable {
    /// One megabit a second.
    case le1M = "1M"
    /// Two megabits a second.
    case le2M = "2M"
    /// Coded for range, at most half a megabit a second.
    case leCoded = "coded"
}

/// The parameters requested for a link; a peer that grants less is not an error.
public struct LinkRequest: Hashable, Sendable {
    /// Time between two connection events.
    public var interval: Duration
    /// How long a link lives without packets. Erasing a flash page alone silences a beacon for 90 ms.
    public var supervisionTimeout: Duration
    /// The order of connections that wait for one adapter: highest first, then earliest.
    public var priority: Int

    /// A link for flashing: 15 ms and 6 s, as Nordic's bootloaders request (nordic-secure.md, Layout).
    public init(
        interval: Duration = .milliseconds(15), supervisionTimeout: Duration = .seconds(6), priority: Int = 0
    ) {
        self.interval = interval
        self.supervisionTimeout = supervisionTimeout
        self.priority = priority
    }
}

/// The parameters of a link; nil where the adapter does not tell.
public struct LinkParameters: Hashable, Sendable {
    /// Time between two connection events.
    public var interval: Duration?
    /// The modulation that we send with.
    public var phy: PHY?
    /// The longest packet that a credit-based channel takes, in bytes; nil for attributes.
    public var maximumPacket: Int?

    /// A link with the given parameters.
    public init(interval: Duration? = nil, phy: PHY? = nil, maximumPacket: Int? = nil) {
        self.interval = interval
        self.phy = phy
        self.maximumPacket = maximumPacket
    }
}
