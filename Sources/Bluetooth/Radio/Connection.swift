/// How long a peer may take to encrypt a link: the Security Manager gives up by itself after 30 s (Vol 3, Part H, 3.4).
private let encryptionLimit = Duration.seconds(30)

extension Adapter {
    /// Connects, runs `body` with a client of the peer's attributes, and disconnects however `body` ends.
    ///
    /// The link is encrypted only if the peer requires it.
    public func withConnection<Value: Sendable>(
        to peer: DeviceAddress, asking linkRequest: LinkRequest = LinkRequest(), within limit: Duration,
        _ body: (ATTClient) async throws -> Value
    ) async throws -> Value {
        try await withLink(to: peer, asking: linkRequest, within: limit) { client, _ in try await body(client)
        }
    }

    /// Like `withConnection`, with access to the link's parameters for `body`.
    ///
    /// With `mayEncrypt` false a request that requires encryption is refused: encrypting a link to a device
    /// without a bond pairs with it, and inspecting a device must not change it.
    public func withLink<Value: Sendable>(
        to peer: DeviceAddress, asking linkRequest: LinkRequest = LinkRequest(), within limit: Duration,
        mayEncrypt: Bool = true,
        _ body: (ATTClient, @escaping @Sendable () async -> LinkParameters) async throws -> Value
    ) async throws -> Value {
        let claim = try claim(peer)
        defer { withExtendedLifetime(claim) {} }
        let channel = try await open(.attributes, to: peer, asking: linkRequest, within: limit)
        let encryption: ATTClient.Encryption = { [self] () async throws(EncryptionError) in
            do throws(AdapterError) { try await encrypt(channel, within: encryptionLimit) } catch {
                throw EncryptionError(reason: "\(error)")
            }
        }
        let client = ATTClient(bearer: channel, time: time, encrypting: mayEncrypt ? encryption : nil)
        async let _ = client.run()  // ends when the channel does
        defer { channel.close() }
        return try await body(client) { [self] in await parameters(of: channel) }
    }

    /// The result of `body`, or nil if it takes longer than `limit`. Time in which another program's scan, or
    /// connecting, kept this adapter from hearing does not count, up to 15 s: a scan whose program was killed
    /// continues for 10.24 s (kernel `DISCOV_LE_TIMEOUT`). The time of `gaps` does not count either.
    public func hearing<Value: Sendable>(
        within limit: Duration, besides gaps: ListeningGaps? = nil,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        let begin = time.now
        let before = unheardTime
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask { [self] in
                var end = begin + limit
                repeat {
                    try await time.sleep(until: end)
                    end = begin + limit + grantedTime(since: before) + (gaps?.total ?? .zero)
                } while time.now < end
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    /// By how much ``hearing(within:_:)`` has extended its limit so far, if ``unheardTime`` was `before` at its start.
    public func grantedTime(since before: Duration) -> Duration { min(unheardTime - before, mostDeafness) }

    /// The first of `addresses` that is heard within `limit`; nil if none is.
    ///
    /// If the adapter ends the reports, because it was unplugged or switched off, the search waits for its return and
    /// listens again; that time does not count. If the adapter does not return, its error is thrown.
    public func firstHeard(
        of addresses: Set<DeviceAddress>, within limit: Duration
    ) async throws -> Advertisement? {
        let gaps = ListeningGaps(of: self)
        return try await hearing(within: limit, besides: gaps) {
            for _ in 0..<mostListenings {
                for await report in try await gaps.reports(from: self)
                where addresses.contains(report.address) {
                    return report
                }
                guard !Task.isCancelled else { throw AdapterError.cancelled }
            }
            throw AdapterError.unavailable("the adapter is gone")
        }
    }
}

/// How often a search starts to listen. An adapter is rarely plugged in more often within one search. The limit ends
/// a search on an adapter whose scope has ended: its reports end at once every time.
private let mostListenings = 8
/// The maximum ``Adapter/unheardTime`` by which a search is extended.
private let mostDeafness = Duration.seconds(15)

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

/// The parameters of a link; nil where the adapter does not tell.
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
