/// The radio interface: hears devices, and opens channels to them. `KernelAdapter`, `UserChannelAdapter` and
/// `SimulatedAdapter` conform.
public protocol Adapter: Sendable {
    associatedtype Channel: Bearer
    /// The clock of this adapter's reports, links and deadlines.
    var time: Timekeeper { get }
    /// Whether every advertisement that is heard is reported. If not, the time between two reports says nothing about
    /// the sender.
    var passesEveryReport: Bool { get }
    /// How many connection attempts it makes at the same time. With 1, each attempt waits for the end of earlier ones.
    var pendingLinks: Int { get }
    /// All reports until the caller stops listening, repeated ones included.
    func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement>
    /// Like ``advertisements()``, for a caller that also has the `scanHistory`: devices that were already
    /// reported need not be reported again at once.
    func furtherAdvertisements() async throws(AdapterError) -> AsyncStream<Advertisement>
    /// Whether it hears and connects to beacons on LE Coded; nil if that is unknown.
    var coded: CodedReception? { get }
    func scanHistory() -> ScanHistory
    /// Opens a channel to `peer`, which has to answer within `limit`, or within the time of two of its advertisements
    /// if it advertises so rarely that these take longer.
    func open(
        _ channel: LinkChannel, to peer: DeviceAddress, asking linkRequest: LinkRequest,
        within limit: Duration
    ) async throws(AdapterError) -> Channel
    /// How often `peer` advertises; nil if unknown.
    func advertisingInterval(of peer: DeviceAddress) -> Duration?
    /// Sets this connection interval on every link of ours, if the adapter supports that; the change takes a moment.
    func retune(interval: Duration) async
    /// The parameters of the link under `channel`, as far as this adapter knows.
    func parameters(of channel: Channel) async -> LinkParameters
    /// Encrypts the link under `channel` within `limit`; without a bond, pairs without a passkey.
    func encrypt(_ channel: Channel, within limit: Duration) async throws(AdapterError)
    /// Keeps other programs of this machine away from `peer`; throws `inUse` if one of them has it.
    func claim(_ peer: DeviceAddress) throws(AdapterError) -> BeaconClaim
    /// Whether another program of this machine has a link to `peer`, as far as this adapter knows.
    func isHeldElsewhere(_ peer: DeviceAddress) async -> Bool
    /// The total time in which listeners received only part of the reports because of another program's scan.
    var deafTime: Duration { get }
    /// The total time of connection attempts. During part or all of it listeners hear nothing, since the controller
    /// does not scan for other devices.
    var connectingTime: Duration { get }
}

extension Adapter {
    public func furtherAdvertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        try await advertisements()
    }
    /// One attempt at a time, as with the kernel.
    public var pendingLinks: Int { 1 }
    public var coded: CodedReception? { nil }
    public func scanHistory() -> ScanHistory { ScanHistory() }
    public func advertisingInterval(of peer: DeviceAddress) -> Duration? { nil }
    public func retune(interval: Duration) async {}
    /// A claim without a lock, for adapters whose beacons no other program can reach.
    public func claim(_ peer: DeviceAddress) throws(AdapterError) -> BeaconClaim { BeaconClaim() }
    public func isHeldElsewhere(_ peer: DeviceAddress) async -> Bool { false }
    public var deafTime: Duration { .zero }
    public var connectingTime: Duration { .zero }
    /// The time in which silence does not mean that no beacon is near.
    public var unheardTime: Duration { deafTime + connectingTime }
}

/// How long a peer may take to encrypt a link: the Security Manager gives up by itself after 30 s (Vol 3, Part H, 3.4).
private let encryptionLimit = Duration.seconds(30)

/// The maximum ``Adapter/unheardTime`` by which a search is extended.
private let longestExtension = Duration.seconds(15)

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
        within limit: Duration, extendedBy gaps: ListeningGaps? = nil,
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
                    end = begin + limit + limitExtension(since: before) + (gaps?.total ?? .zero)
                } while time.now < end
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    /// By how much ``hearing(within:extendedBy:_:)`` has extended its limit so far, if ``unheardTime`` was `before` at
    /// its start.
    public func limitExtension(since before: Duration) -> Duration {
        min(unheardTime - before, longestExtension)
    }

    /// The first of `addresses` that is heard within `limit`; nil if none is.
    ///
    /// If the adapter ends the reports, because it was unplugged or switched off, the search waits for its return and
    /// listens again; that time does not count. If the adapter does not return, its error is thrown.
    public func firstHeard(
        of addresses: Set<DeviceAddress>, within limit: Duration
    ) async throws -> Advertisement? {
        let gaps = ListeningGaps(of: self)
        return try await hearing(within: limit, extendedBy: gaps) {
            for _ in 0..<ListeningGaps.mostScans {
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

/// Whether an adapter hears and connects to beacons on LE Coded (long range).
public enum CodedReception: Hashable, Sendable {
    /// LE Coded is in use. Some adapters claim to support it but fail.
    case selected
    case notSelected, missing
}

/// Keeps other programs of this machine from updating or reading a beacon during its lifetime.
public final class BeaconClaim: Sendable {
    private let held: (any Sendable)?

    /// A claim that keeps `held`, such as a lock, alive; nil if no other program can reach the beacon.
    public init(keeping held: (any Sendable)? = nil) { self.held = held }
}

/// The scan history of an adapter, for all its listeners.
public struct ScanHistory: Sendable {
    /// Since when the adapter has listened without a break, by its clock; nil while it does not listen.
    public var listeningSince: Duration?
    /// The devices that were heard in the last seconds.
    public var sightings: [Sighting]

    public init(listeningSince: Duration? = nil, sightings: [Sighting] = []) {
        (self.listeningSince, self.sightings) = (listeningSince, sightings)
    }
}

/// Why an adapter cannot scan, or a link cannot be made.
public enum AdapterError: Error, Equatable, Sendable, CustomStringConvertible {
    case noBluetooth
    /// There is no such adapter, or it cannot be used; with the reason, and what to do about it.
    case unavailable(String)
    case noAnswer(DeviceAddress)
    /// Another copy of this program updates or reads the peer.
    case inUse(DeviceAddress, by: String)
    /// Another program of this machine has the link to the peer.
    case held(DeviceAddress)
    /// Another copy of this program kept us from connecting with this adapter.
    case connectingElsewhere(adapter: String, by: String)
    /// The controller, or the kernel, has as many links as it supports. The error tells nothing about the peer.
    case tooManyLinks(adapter: String)
    case notEncrypted(DeviceAddress?, reason: String)
    case notPermitted(capability: String, to: String)
    /// A device has connected, but another program of this machine, or none, got the attribute channel.
    case attributesTaken(adapter: String, DeviceAddress?)
    case cancelled
    case system(call: String, errno: Int32)

    public var description: String {
        switch self {
        case .noBluetooth: "this machine's kernel has no Bluetooth, or it is not available in this container"
        case .unavailable(let reason): reason
        case .noAnswer(let address): "\(address) does not answer"
        case .inUse(let address, let owner): "\(address) is in use by \(owner)"
        case .held(let address):
            "\(address) is held by another program on this machine, usually bluetoothd, or the adapter is busy "
                + "with another program's scan"
        case .connectingElsewhere(let adapter, let owner): "\(owner) has been connecting with \(adapter)"
        case .tooManyLinks(let adapter): "\(adapter) has no free link left"
        case .notEncrypted(let address, let reason):
            "the link\(address.map { " to \($0)" } ?? "") is not encrypted: \(reason)"
        case .attributesTaken(let adapter, let peer):
            (peer.map { "\($0) has connected to \(adapter), and " } ?? "on \(adapter) ")
                + "another program of this machine serves attributes, usually bluetoothd"
        case .notPermitted(let capability, let what): "\(capability) is required to \(what)"
        case .cancelled: "cancelled"
        case .system(let call, let errno): "\(call) failed with error \(errno)"
        }
    }
}
