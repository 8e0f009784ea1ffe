import ByteCoding

/// Which connections stay open. A connection is a stranger's until a request over it has shown a session; strangers have few seats, and take
/// none from those who have shown one.
///
/// Where all seats of a kind are taken, one of those who hold most of them goes, the oldest. No stranger goes before there was time to say who
/// it is: until then nobody else is let in.
public struct ConnectionPlan: Sendable {
    private struct Connection: Sendable {
        /// From where it comes, and when it did.
        let address: String
        let began: Duration
        /// Who has shown a session over it; nil for a stranger.
        var owner: String?
        /// Whether a request of it is being answered.
        var isInFlight = false
        /// When that was so first: a stranger is spared for that once, however often it asks.
        var firstBusy: Duration?
        /// Whether it is being closed.
        var isLeaving = false

        /// Whom it counts for among its kind.
        var holder: String { owner ?? address }
    }

    /// By their numbers: a later one has a higher number.
    private var connections: [Int: Connection] = [:]
    private var last = 0
    /// So long each stranger has at least.
    private let grace: Duration

    /// No connections yet; of those that come, each has `grace`.
    public init(grace: Duration = PageLimits.strangersGrace) { self.grace = grace }

    /// As what an IPv6 address of 16 bytes counts: its first 64 bits, since a machine takes as many addresses of its network as it likes. One
    /// of ::ffff:0:0/96 is an IPv4 address (RFC 4291, 2.5.5.2), and counts as that.
    public static func place(ofIPv6 address: [UInt8]) -> String {
        let isFour = address.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
        return isFour
            ? address.dropFirst(12).map(String.init).joined(separator: ".")
            : HexText.encode(address.prefix(8)) + "/64"
    }

    /// How many there are of strangers, and how many of others.
    public var counts: (strangers: Int, known: Int) {
        let staying = connections.values.filter { !$0.isLeaving }
        let strangers = staying.count { $0.owner == nil }
        return (strangers, staying.count - strangers)
    }

    /// Whether one more may come in.
    public var hasRoom: Bool { counts.strangers < PageLimits.strangers }

    /// Takes a connection from `address`: its number.
    public mutating func arrive(from address: String, at moment: Duration) -> Int {
        last += 1
        connections[last] = Connection(address: address, began: moment)
        return last
    }

    /// The stranger that has to go so that there is room, and when; nil where there is some.
    public func next(at moment: Duration) -> (number: Int, due: Duration)? {
        guard !hasRoom else { return nil }
        let strangers = connections.filter { $0.value.owner == nil && !$0.value.isLeaving }
        let idle = strangers.filter { !isBusy($0.key, at: moment) }
        guard idle.isEmpty else {
            guard let number = Self.oldest(of: idle), let began = idle[number]?.began else { return nil }
            return (number, max(moment, began + grace))
        }
        guard let number = Self.oldest(of: strangers), let first = strangers[number]?.firstBusy else {
            return nil
        }
        return (number, max(moment, first + PageLimits.othersAnswer))
    }

    /// Gives `owner` the connection; the number of the one that has to go for it.
    public mutating func slot(_ number: Int, for owner: String) -> Int? {
        guard connections[number] != nil, connections[number]?.owner != owner else { return nil }
        connections[number]?.owner = owner
        let own = connections.filter { $0.value.owner == owner && !$0.value.isLeaving }
        let known = connections.filter { $0.value.owner != nil && !$0.value.isLeaving }
        let crowd =
            own.count > PageLimits.connectionsOfOne ? own : known.count > PageLimits.connections ? known : [:]
        let idle = crowd.filter { !$0.value.isInFlight && $0.key != number }
        return Self.oldest(of: idle.isEmpty ? crowd : idle)
    }

    /// A request of the connection is being answered from `moment` on.
    public mutating func begin(_ number: Int, at moment: Duration) {
        connections[number]?.isInFlight = true
        if connections[number]?.firstBusy == nil { connections[number]?.firstBusy = moment }
    }

    /// It was answered.
    public mutating func end(_ number: Int) {
        connections[number]?.isInFlight = false
        if connections[number]?.owner != nil { connections[number]?.firstBusy = nil }
    }

    /// Whether a request of the connection is being answered. What a stranger is told can take as long as the stranger likes, and does not
    /// count for long; nor does what it asks after that.
    public func isBusy(_ number: Int, at moment: Duration) -> Bool {
        guard let connection = connections[number], connection.isInFlight, let first = connection.firstBusy
        else {
            return false
        }
        return moment - first < PageLimits.othersAnswer
    }

    /// Whether the connection is being closed, and so counts no more.
    public mutating func note(_ number: Int, isLeaving: Bool) { connections[number]?.isLeaving = isLeaving }

    /// For how long the connection may take until the head of its next request is there.
    public func timeout(of number: Int) -> Duration {
        connections[number]?.owner == nil ? PageLimits.strangersHead : PageLimits.idle
    }

    /// Whether the connection is a stranger's.
    public func isStranger(_ number: Int) -> Bool { connections[number].map { $0.owner == nil } ?? false }

    /// The connection is gone.
    public mutating func leave(_ number: Int) { connections[number] = nil }

    /// The oldest of those who hold most.
    private static func oldest(of meant: [Int: Connection]) -> Int? {
        let most = Dictionary(meant.values.map { ($0.holder, 1) }, uniquingKeysWith: +)
        let full = most.values.max()
        return meant.filter { most[$0.value.holder] == full }.keys.min()
    }
}
