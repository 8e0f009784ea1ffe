/// The answer to a station's claim request.
public struct ClaimAnswer: Hashable, Sendable {
    /// A unit that the station has now claimed.
    public struct Grant: Hashable, Sendable {
        /// The claim.
        public let claim: WorkClaim
        /// The length of the lease, from when it was requested; nil for no end.
        public let lease: Duration?
        /// Whether an earlier claim has begun the unit: its state is then checked first.
        public let wasBegun: Bool
        /// The selector by which the order lists the unit.
        public let selector: String
        /// The label of its slot; nil if the order has none.
        public let slot: String?
        /// The first key of the requested beacon, which may differ from the unit's own; the unit's key if no beacon was
        /// named.
        public let asked: String

        /// Creates a grant with these values.
        public init(
            _ claim: WorkClaim, lease: Duration?, wasBegun: Bool, selector: String, slot: String? = nil,
            asked: String? = nil
        ) {
            self.claim = claim
            self.lease = lease
            self.wasBegun = wasBegun
            self.selector = selector
            self.slot = slot
            self.asked = asked ?? claim.key
        }
    }

    /// A requested beacon that was denied.
    public struct Denied: Hashable, Sendable {
        /// The reason for a denial.
        public enum Reason: Hashable, Sendable {
            /// Another station has it, for this long unless it renews the claim.
            case claimed(by: String, left: Duration)
            /// It is a unit of another order, which a station has claimed.
            case claimedElsewhere(order: String, by: String, left: Duration)
            /// It is on its firmware.
            case done
            /// It has failed; a supervisor has to allow another attempt.
            case failed
            /// It is not a unit of the order.
            case notInOrder
            /// The order already has all its expected units (`expected`).
            case full
        }

        /// The beacon's first key.
        public let key: String
        /// The reason.
        public let reason: Reason

        /// Denies `key` for `reason`.
        public init(_ key: String, _ reason: Reason) { (self.key, self.reason) = (key, reason) }
    }

    /// The current order.
    public var order: WorkOrder
    /// The granted units. Also empty if the order's state does not allow work.
    public var grants: [Grant]
    /// The denied beacons.
    public var denied: [Denied]
    /// Recalled packages: the reason, by their SHA-256 in lower-case hexadecimal.
    public var recalledFiles: [String: String]

    /// Creates an answer with these values.
    public init(
        order: WorkOrder, grants: [Grant], denied: [Denied] = [], recalledFiles: [String: String] = [:]
    ) {
        (self.order, self.grants, self.denied) = (order, grants, denied)
        self.recalledFiles = recalledFiles
    }
}
