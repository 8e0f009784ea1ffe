public import Tray

/// A unit of an order.
public struct EngineUnit: Hashable, Sendable {
    /// How far it has come.
    public enum State: Hashable, Sendable { case waiting, claimed, verified, failed }

    /// The order's number.
    public let order: String
    /// Its key.
    public let key: String
    /// Every key that it is known by.
    public internal(set) var keys: Set<String>
    /// What its beacon was claimed by last, which can be another unit's of the same beacon.
    var asked: Set<String> = []
    /// How far it has come.
    public internal(set) var state = State.waiting
    /// How often it was claimed.
    public internal(set) var epoch: Int64 = 0
    /// Who has claimed it last.
    public internal(set) var station = ""
    /// When the last claim's time is over, by the engine's clock.
    public internal(set) var leaseEnd = Duration.zero
    /// How often it has failed since somebody gave it a try.
    public internal(set) var failures = 0
    /// What it has come to last.
    public internal(set) var outcome: Outcome?

    init(_ order: String, _ keys: [String]) {
        self.order = order
        key = keys.first ?? ""
        self.keys = Set(keys)
    }

    /// Whatever its beacon is called.
    var names: Set<String> { keys.union(asked) }

    /// Whether a station has it, whose time is not over.
    func isHeld(at now: Duration) -> Bool { state == .claimed && leaseEnd >= now }
}

extension String {
    /// The one spelling of a beacon's key: an address in upper case, its type and a vendor's id in lower case.
    var normalKey: String {
        if lowercased().hasPrefix("id:") { return lowercased() }
        let parts = split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, ["random", "public"].contains(parts[1].lowercased()) else { return self }
        return parts[0].uppercased() + "/" + parts[1].lowercased()
    }
}
