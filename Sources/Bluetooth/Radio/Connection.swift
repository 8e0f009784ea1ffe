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

    /// By how much ``hearing(within:besides:_:)`` has extended its limit so far, if ``unheardTime`` was `before` at its
    /// start.
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
