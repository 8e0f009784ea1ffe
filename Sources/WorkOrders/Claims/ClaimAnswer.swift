/// What a station gets of what it has asked for.
public struct ClaimAnswer: Hashable, Sendable {
    /// A unit that is the station's now.
    public struct Grant: Hashable, Sendable {
        /// The claim.
        public let claim: WorkClaim
        /// For so long from when it was asked for; nil for good.
        public let lease: Duration?
        /// Whether somebody has begun with the unit before: what it is now is looked at first.
        public let wasBegun: Bool
        /// What is known of the unit: the selector that it is listed by, and its slot where the order has one.
        public let selector: String
        /// The label of its place; nil where the order says none.
        public let slot: String?
        /// The first key of the beacon that it was asked by, which need not be the unit's own; the unit's key for one that nobody named.
        public let asked: String

        /// A grant as described.
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

    /// A beacon that was asked for and is not the station's.
    public struct Denied: Hashable, Sendable {
        /// Why.
        public enum Reason: Hashable, Sendable {
            /// A station has it, for so long more unless it asks for more.
            case claimed(by: String, left: Duration)
            /// A unit of another order, which a station has.
            case claimedElsewhere(order: String, by: String, left: Duration)
            /// It is on its firmware.
            case done
            /// It has failed; a person has to give it another try.
            case failed
            /// It is no unit of the order.
            case notInOrder
            /// The order has all units that it wants (`expected`).
            case full
        }

        /// The beacon's first key.
        public let key: String
        /// Why.
        public let reason: Reason

        /// `key` is withheld for `reason`.
        public init(_ key: String, _ reason: Reason) { (self.key, self.reason) = (key, reason) }
    }

    /// The order as it is now.
    public var order: WorkOrder
    /// What is the station's. Empty also where the order is not worked at: its state says so.
    public var grants: [Grant]
    /// Whom it asked for and does not get.
    public var denied: [Denied]
    /// Packages that no unit may get any more, by their SHA-256 in lower-case hexadecimal, and why.
    public var recalledFiles: [String: String]

    /// An answer as described.
    public init(
        order: WorkOrder, grants: [Grant], denied: [Denied] = [], recalledFiles: [String: String] = [:]
    ) {
        (self.order, self.grants, self.denied) = (order, grants, denied)
        self.recalledFiles = recalledFiles
    }
}
