/// Which connections stay open. A connection is a stranger's until a request over it has shown a session; strangers have few seats, and take
/// none from those who have shown one.
///
/// Where all seats of a kind are taken, the newcomer gets one: of those who hold most of them, the oldest connection goes.
public struct ConnectionPlan: Sendable {
    private struct Connection: Sendable {
        /// From where it comes.
        let address: String
        /// Who has shown a session over it; nil for a stranger.
        var owner: String?
        /// Whether a request of it is being answered.
        var isBusy = false

        /// Whom it counts for among its kind.
        var holder: String { owner ?? address }
    }

    /// By their numbers: a later one has a higher number.
    private var connections: [Int: Connection] = [:]
    private var last = 0

    /// No connections yet.
    public init() {}

    /// How many there are of strangers, and how many of others.
    public var counts: (strangers: Int, known: Int) {
        let strangers = connections.values.count { $0.owner == nil }
        return (strangers, connections.count - strangers)
    }

    /// Takes a connection from `address`: its number, and that of the one that has to go for it.
    public mutating func arrive(from address: String) -> (number: Int, leaving: Int?) {
        last += 1
        connections[last] = Connection(address: address)
        return (last, counts.strangers > PageLimits.strangers ? evict { $0.owner == nil } : nil)
    }

    /// Gives `owner` the connection; the number of the one that has to go for it.
    public mutating func seat(_ number: Int, for owner: String) -> Int? {
        guard connections[number] != nil, connections[number]?.owner != owner else { return nil }
        connections[number]?.owner = owner
        if connections.values.count(where: { $0.owner == owner }) > PageLimits.connectionsOfOne {
            return evict { $0.owner == owner }
        }
        return counts.known > PageLimits.connections ? evict { $0.owner != nil } : nil
    }

    /// Whether a request of the connection is being answered.
    public mutating func note(_ number: Int, isBusy: Bool) { connections[number]?.isBusy = isBusy }

    /// For how long the connection may take until the head of its next request is there.
    public func patience(of number: Int) -> Duration {
        connections[number]?.owner == nil ? PageLimits.strangersHead : PageLimits.idle
    }

    /// The connection is gone.
    public mutating func leave(_ number: Int) { connections[number] = nil }

    private mutating func evict(_ isMeant: (Connection) -> Bool) -> Int? {
        let meant = connections.filter { isMeant($0.value) }
        let most = Dictionary(meant.values.map { ($0.holder, 1) }, uniquingKeysWith: +)
        let full = most.values.max() ?? 0
        let oldest = meant.filter { most[$0.value.holder] == full }.min { one, other in
            // What a stranger is told can last as long as the stranger likes, and counts for nothing.
            let (isBusy, isOtherBusy) = (
                one.value.isBusy && one.value.owner != nil, other.value.isBusy && other.value.owner != nil
            )
            return isBusy == isOtherBusy ? one.key < other.key : isOtherBusy
        }
        guard let number = oldest?.key else { return nil }
        connections[number] = nil
        return number
    }
}
