import Bytes

/// Decides which connections stay open. A connection is a stranger's until a request over it has shown a session.
/// Strangers have a limited number of places, and take none from signed-in connections.
///
/// When all places of a kind are taken, the oldest connection of the holder with the most places is closed. A stranger
/// is not closed before it had time to sign in: until then no other connection is accepted.
struct ConnectionPlan: Sendable {
    private struct Connection: Sendable {
        let address: String
        let began: Duration
        /// The owner of the session shown over it; nil for a stranger.
        var owner: String?
        var isInFlight = false
        /// When a request was first in flight. A stranger is kept open for that only once, however many requests it sends.
        var firstBusy: Duration?
        var isClosing = false

        var holder: String { owner ?? address }
    }

    /// The connections by their numbers; a later connection has a higher number.
    private var connections: [Int: Connection] = [:]
    private var last = 0
    /// The minimum time for which each stranger stays open.
    private let grace: Duration
    private let strangersHead: Duration
    private let idle: Duration

    /// Starts without connections. Each stranger stays open for at least `grace`, and has `strangersHead` for the head of
    /// a request; other connections have `idle` between two requests.
    init(
        grace: Duration = PageLimits.strangersGrace, strangersHead: Duration = PageLimits.strangersHead,
        idle: Duration = PageLimits.idle
    ) {
        (self.grace, self.strangersHead, self.idle) = (grace, strangersHead, idle)
    }

    /// The counting key of an IPv6 address of 16 bytes: its first 64 bits, since a machine can use any address of its
    /// network. An address in ::ffff:0:0/96 is an IPv4 address (RFC 4291, 2.5.5.2).
    static func countingKey(ofIPv6 address: [UInt8]) -> String {
        let isFour = address.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
        return isFour
            ? address.dropFirst(12).map(String.init).joined(separator: ".")
            : HexText.encode(address.prefix(8)) + "/64"
    }

    var counts: (strangers: Int, known: Int) {
        let open = connections.values.filter { !$0.isClosing }
        let strangers = open.count { $0.owner == nil }
        return (strangers, open.count - strangers)
    }

    var hasRoom: Bool { counts.strangers < PageLimits.strangers }

    mutating func add(from address: String, at moment: Duration) -> Int {
        last += 1
        connections[last] = Connection(address: address, began: moment)
        return last
    }

    /// The stranger to close to make room for another, and when; nil if there is room.
    func nextToClose(at moment: Duration) -> (number: Int, due: Duration)? {
        guard !hasRoom else { return nil }
        let strangers = connections.filter { $0.value.owner == nil && !$0.value.isClosing }
        let idle = strangers.filter { !isBusy($0.key, at: moment) }
        guard idle.isEmpty else {
            guard let number = Self.oldest(of: idle), let began = idle[number]?.began else { return nil }
            return (number, max(moment, began + grace))
        }
        guard let number = Self.oldest(of: strangers), let first = strangers[number]?.firstBusy else {
            return nil
        }
        return (number, max(moment, first + PageLimits.strangersAnswer))
    }

    /// Assigns the connection to `owner`; returns the number of the connection to close for it, nil for none.
    mutating func assign(_ number: Int, to owner: String) -> Int? {
        guard connections[number] != nil, connections[number]?.owner != owner else { return nil }
        connections[number]?.owner = owner
        let own = connections.filter { $0.value.owner == owner && !$0.value.isClosing }
        let known = connections.filter { $0.value.owner != nil && !$0.value.isClosing }
        let crowd =
            own.count > PageLimits.connectionsOfOne ? own : known.count > PageLimits.connections ? known : [:]
        let idle = crowd.filter { !$0.value.isInFlight && $0.key != number }
        return Self.oldest(of: idle.isEmpty ? crowd : idle)
    }

    /// Records that a request of the connection is being answered from `moment` on.
    mutating func begin(_ number: Int, at moment: Duration) {
        connections[number]?.isInFlight = true
        if connections[number]?.firstBusy == nil { connections[number]?.firstBusy = moment }
    }

    mutating func end(_ number: Int) {
        connections[number]?.isInFlight = false
        if connections[number]?.owner != nil { connections[number]?.firstBusy = nil }
    }

    /// Whether a request of the connection is being answered. A stranger can make an answer take arbitrarily long, so
    /// it counts only for a limited time; later requests of the stranger do not count.
    func isBusy(_ number: Int, at moment: Duration) -> Bool {
        guard let connection = connections[number], connection.isInFlight, let first = connection.firstBusy
        else { return false }
        return moment - first < PageLimits.strangersAnswer
    }

    /// Records whether the connection is being closed, and so no longer counts.
    mutating func mark(_ number: Int, isClosing: Bool) { connections[number]?.isClosing = isClosing }

    /// How long the connection may wait for the head of its next request.
    func timeout(of number: Int) -> Duration { connections[number]?.owner == nil ? strangersHead : idle }

    mutating func remove(_ number: Int) { connections[number] = nil }

    /// The number of the oldest of `candidates` whose holder has the most of them.
    private static func oldest(of candidates: [Int: Connection]) -> Int? {
        let most = Dictionary(candidates.values.map { ($0.holder, 1) }, uniquingKeysWith: +)
        let full = most.values.max()
        return candidates.filter { most[$0.value.holder] == full }.keys.min()
    }
}
