import Tray
package import UpdateModel

package struct ClaimAnswer: Hashable, Sendable {
    package struct Grant: Hashable, Sendable {
        package let claim: WorkClaim
        /// The length of the lease, from when it was requested; nil for no end.
        package let lease: Duration?
        /// Whether an earlier claim has begun the unit: its state is then checked first.
        package let wasBegun: Bool
        /// The selector by which the order lists the unit.
        package let selector: String
        /// The label of its slot; nil if the order has none.
        package let slot: String?
        /// The first key of the requested beacon, which may differ from the unit's own; the unit's key if no beacon was
        /// named.
        package let asked: String

        package init(
            _ claim: WorkClaim, lease: Duration?, wasBegun: Bool, selector: String, slot: String? = nil,
            asked: String? = nil
        ) {
            (self.claim, self.lease, self.wasBegun, self.selector) = (claim, lease, wasBegun, selector)
            self.slot = slot
            self.asked = asked ?? claim.key
        }
    }

    package struct Denied: Hashable, Sendable {
        package enum Reason: Hashable, Sendable {
            /// Another station has it, for this long unless it renews the claim.
            case claimed(by: String, left: Duration)
            /// It is a unit of another order, which a station has claimed.
            case claimedElsewhere(order: String, by: String, left: Duration)
            case done
            /// It has failed; a supervisor has to allow another attempt.
            case failed
            case notInOrder
            /// The order already has all its expected units (`expected`).
            case full
        }

        /// The beacon's first key.
        package let key: String
        package let reason: Reason

        package init(_ key: String, _ reason: Reason) { (self.key, self.reason) = (key, reason) }
    }

    package var order: WorkOrder
    /// The granted units. Also empty if the order's state does not allow work.
    package var grants: [Grant]
    package var denied: [Denied]
    /// Recalled packages: the reason, by their SHA-256 in lower-case hexadecimal.
    package var recalledFiles: [String: String]

    package init(
        order: WorkOrder, grants: [Grant], denied: [Denied] = [], recalledFiles: [String: String] = [:]
    ) {
        (self.order, self.grants, self.denied) = (order, grants, denied)
        self.recalledFiles = recalledFiles
    }
}

extension ClaimAnswer.Denied.Reason {
    package var code: FailureCode {
        switch self {
        case .claimed: .station.claimed
        case .claimedElsewhere: .station.claimedInOtherOrder
        case .done: .station.unitDone
        case .failed: .station.unitFailed
        case .notInOrder: .station.notInOrder
        case .full: .station.orderFull
        }
    }

    package var words: String {
        func time(_ left: Duration) -> String { "\(max(0, Int(left / .seconds(1)))) s" }
        return switch self {
        case .claimed(let by, let left): "claimed by \(by) for \(time(left)) more, unless renewed"
        case .claimedElsewhere(let order, let by, let left):
            "claimed by \(by) for order \(order) for \(time(left)) more, unless renewed"
        case .done: "it is on its firmware"
        case .failed: "it has failed; a supervisor has to allow another attempt"
        case .notInOrder: "it is not a unit of the order"
        case .full: "the order already has all its expected units"
        }
    }
}

/// A unit that only one station may work on. Another claim of the same unit has a higher epoch.
package struct WorkClaim: Hashable, Sendable {
    package let order: String
    /// The key of the unit in the order.
    package let key: String
    /// From 1, incremented with each claim of the unit.
    package let epoch: Int64

    package init(order: String, key: String, epoch: Int64) {
        (self.order, self.key, self.epoch) = (order, key, epoch)
    }
}

package enum Renewal: Hashable, Sendable {
    /// The station keeps the unit for this long from its request; nil for no end.
    case renewed(for: Duration?)
    case lost
}

package struct ClaimRequest: Hashable, Sendable {
    /// A beacon in range of the station, by every key under which it may be listed: its address with its type
    /// (`F0:0D:BE:AC:01:00/random`), and `id:` with the vendor's id in lower case.
    package struct Beacon: Hashable, Sendable {
        /// Its keys, the most reliable first.
        package let keys: [String]

        package init(_ keys: [String]) { self.keys = keys }
    }

    package var order: String
    /// The beacons in range, preferred first; nil claims the next units of the order, for example for a tray that is
    /// prepared for a site without a network.
    package var beacons: [Beacon]?
    package var most: Int
    package var lease: Duration

    package init(_ order: String, beacons: [Beacon]?, most: Int, for lease: Duration) {
        (self.order, self.beacons, self.most, self.lease) = (order, beacons, most, lease)
    }
}

/// The lifetime of a claim, by the station's own clock: one that neither users nor the network set, and that continues
/// while the program is stopped or the machine sleeps (`CLOCK_BOOTTIME`).
///
/// The work server answers with a duration, and the station counts from before its request: clocks are never compared,
/// and the time for the answer shortens the lease.
package struct Lease: Hashable, Sendable {
    /// Subtracted from each lease for differences in clock rate, and for the time between the check before a step and
    /// its start.
    package static let margin = Duration.seconds(5)

    package let end: Duration?

    /// A lease of `length` that was requested at `moment`; nil for one without end.
    package init(askedAt moment: Duration, for length: Duration?) {
        end = length.map { moment + $0 - Self.margin }
    }

    /// The remaining time at `moment`; negative after its end, nil for no end.
    package func left(at moment: Duration) -> Duration? { end.map { $0 - moment } }

    /// Whether a step of at most `length` ends within it.
    package func covers(_ length: Duration, at moment: Duration) -> Bool {
        left(at: moment).map { $0 >= length } ?? true
    }
}
