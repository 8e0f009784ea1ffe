import Tray
package import UpdateModel

package struct ClaimAnswer: Hashable, Sendable {
    package struct Grant: Hashable, Sendable {
        package let claim: WorkClaim
        /// The length of the lease, counted from the request; nil for a claim without end.
        package let lease: Duration?
        /// Whether the unit was claimed before, so that its update may have begun: its state is then checked first.
        package let wasClaimedBefore: Bool
        /// The selector by which the order lists the unit.
        package let selector: String
        /// The label of the unit's slot; nil if the order names none.
        package let slot: String?
        /// The first key of the requested beacon, which may differ from the unit's key; the unit's key if the request
        /// named no beacons.
        package let requestedKey: String

        package init(
            _ claim: WorkClaim, lease: Duration?, wasClaimedBefore: Bool, selector: String,
            slot: String? = nil,
            requestedKey: String? = nil
        ) {
            (self.claim, self.lease, self.wasClaimedBefore, self.selector) = (
                claim, lease, wasClaimedBefore, selector
            )
            self.slot = slot
            self.requestedKey = requestedKey ?? claim.key
        }
    }

    package struct Denial: Hashable, Sendable {
        package enum Reason: Hashable, Sendable {
            /// Another station has claimed the unit, and has it for the time `left` unless it renews the claim.
            case claimed(by: String, left: Duration)
            /// The beacon is also a unit of another order, and a station has claimed it there.
            case claimedElsewhere(order: String, by: String, left: Duration)
            case done
            /// The unit has failed; a supervisor has to allow another attempt.
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
    /// The granted units; empty if none was granted, or if the order's state does not allow work.
    package var grants: [Grant]
    package var denied: [Denial]
    /// The reasons for which packages were recalled, by the packages' SHA-256 in lower-case hexadecimal.
    package var recalledFiles: [String: String]

    package init(
        order: WorkOrder, grants: [Grant], denied: [Denial] = [], recalledFiles: [String: String] = [:]
    ) {
        (self.order, self.grants, self.denied) = (order, grants, denied)
        self.recalledFiles = recalledFiles
    }
}

extension ClaimAnswer.Denial.Reason {
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

/// The right of one station to work on a unit. A later claim of the same unit has a higher epoch.
package struct WorkClaim: Hashable, Sendable {
    package let order: String
    /// The key of the unit in the order.
    package let key: String
    /// The number of the claim: from 1, incremented with each claim of the unit.
    package let epoch: Int64

    package init(order: String, key: String, epoch: Int64) {
        (self.order, self.key, self.epoch) = (order, key, epoch)
    }
}

package enum Renewal: Hashable, Sendable {
    /// The station keeps the unit for this long, counted from its request; nil for a claim without end.
    case renewed(for: Duration?)
    case lost
}

package struct ClaimRequest: Hashable, Sendable {
    /// A beacon in range of the station, by every key under which an order may list it: its address with its type
    /// (`F0:0D:BE:AC:01:00/random`), and `id:` with the vendor's id in lower case.
    package struct Beacon: Hashable, Sendable {
        /// The beacon's keys, the most reliable first.
        package let keys: [String]

        package init(_ keys: [String]) { self.keys = keys }
    }

    package var order: String
    /// The beacons in range, preferred first; nil claims the next units of the order, for example for a tray that is
    /// prepared for a site without a network.
    package var beacons: [Beacon]?
    /// The most units to grant.
    package var most: Int
    package var lease: Duration

    package init(_ order: String, beacons: [Beacon]?, most: Int, for lease: Duration) {
        (self.order, self.beacons, self.most, self.lease) = (order, beacons, most, lease)
    }
}

/// The lifetime of a claim, by a clock of the station that neither users nor the network set, and that continues while
/// the program is stopped or the machine sleeps (`CLOCK_BOOTTIME`).
///
/// The work server answers with a duration, which the station counts from the time of its request: no clocks are
/// compared, and the wait for the answer is part of the lease.
package struct Lease: Hashable, Sendable {
    /// Subtracted from each lease for differences in clock rate, and for the time between the check before a step and
    /// its start.
    package static let margin = Duration.seconds(5)

    /// When the claim ends for the station, in the time of `MachineClock`; nil for no end.
    package let end: Duration?

    /// A lease of `length`, which was requested at `moment`; a nil `length` is without end.
    package init(requestedAt moment: Duration, for length: Duration?) {
        end = length.map { moment + $0 - Self.margin }
    }

    /// The remaining time at `moment`; negative after its end, nil for no end.
    package func left(at moment: Duration) -> Duration? { end.map { $0 - moment } }

    /// Whether a step of at most `length` that starts at `moment` ends before the lease.
    package func covers(_ length: Duration, at moment: Duration) -> Bool {
        left(at: moment).map { $0 >= length } ?? true
    }
}
