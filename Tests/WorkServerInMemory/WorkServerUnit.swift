package import UpdateModel

/// A unit of an order.
package struct WorkServerUnit: Hashable, Sendable {
    /// The progress of a unit.
    package enum State: Hashable, Sendable { case waiting, claimed, verified, failed }

    /// The order's number.
    package let order: String
    /// Its key.
    package let key: String
    /// Every key of the unit.
    package internal(set) var keys: Set<String>
    /// The keys of the last claim for its beacon, possibly as another unit.
    var asked: Set<String> = []
    /// The progress.
    package internal(set) var state = State.waiting
    /// The number of claims.
    package internal(set) var epoch: Int64 = 0
    /// The station of the last claim.
    package internal(set) var station = ""
    /// The expiry of the last claim, by the work server's clock.
    package internal(set) var leaseEnd = Duration.zero
    /// The failures since a person last allowed another attempt.
    package internal(set) var failures = 0
    /// The last outcome.
    package internal(set) var outcome: UnitOutcome?

    init(_ order: String, _ keys: [String]) {
        self.order = order
        key = keys.first ?? ""
        self.keys = Set(keys)
    }

    /// All names of its beacon.
    var names: Set<String> { keys.union(asked) }

    /// Whether a station holds it with an unexpired lease.
    func isHeld(at now: Duration) -> Bool { state == .claimed && leaseEnd >= now }
}

extension String {
    /// The normal form of a beacon's key: an address in upper case, its type and a vendor's id in lower case.
    var normalKey: String {
        if lowercased().hasPrefix("id:") { return lowercased() }
        let parts = split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, ["random", "public"].contains(parts[1].lowercased()) else { return self }
        return parts[0].uppercased() + "/" + parts[1].lowercased()
    }
}
