import Tray
package import UpdateModel

package struct ClaimAnswer: Hashable, Sendable {
    package struct Grant: Hashable, Sendable {
        package let claim: WorkClaim
        /// The length of the lease, counted from the request; nil for a claim without end.
        package var lease: Duration?
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
            slot: String? = nil, requestedKey: String? = nil
        ) {
            (self.claim, self.lease, self.wasClaimedBefore) = (claim, lease, wasClaimedBefore)
            (self.selector, self.slot) = (selector, slot)
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
