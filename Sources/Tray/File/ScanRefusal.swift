import Bytes
import Firmware

/// The reason why a code does not fill a slot.
package enum ScanRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case scannedBefore(slot: String)
    case occupied(slot: String, device: String)
    case unknown(device: String)
    case passed(device: String, EarlierPass)
    /// The tray has no slot with this label. `labels`: the tray's labels, for a spelling hint.
    case noSuchSlot(String, labels: [String])
    /// Every slot has a beacon or was skipped by the operator.
    case full(slots: Int)
    case noSlots

    /// The decision by which an operator can accept the code; nil if no decision can.
    package var override: ScanOverride? {
        switch self {
        case .scannedBefore: .move
        case .occupied: .replace
        case .unknown: .unknown
        case .passed: .again
        case .noSuchSlot, .full, .noSlots: nil
        }
    }

    package var description: String {
        switch self {
        case .scannedBefore(let slot): "this beacon is already in slot '\(slot)'"
        case .occupied(let slot, let device): "slot '\(slot)' already has another beacon, \(device)"
        case .unknown(let device): "beacon \(device) is unknown: not heard, and not in the history"
        case .passed(let device, let pass): "\(device) has already passed, \(pass)"
        case .noSuchSlot(let slot, let labels):
            "there is no slot '\(slot)'" + Spelling.hint(for: slot, in: labels)
        case .full(let slots): "none of the \(slots) slots is free"
        case .noSlots: "this tray selects beacons by a rule: it has no slots to fill"
        }
    }
}

/// An operator's decision to accept a code that was refused.
package enum ScanOverride: String, CaseIterable, Sendable {
    case move
    case replace
    /// The beacon belongs to the tray although it was not heard.
    case unknown
    case again
}

/// What the scan and the history report of the beacon that a code selects.
package enum CodeStatus: Hashable, Sendable {
    /// The beacon belongs to this order and has not passed yet.
    case expected
    /// The beacon was not heard, or does not belong to this order.
    case unknown
    case passed(EarlierPass)
}

package struct EarlierPass: Hashable, Sendable, CustomStringConvertible {
    package let at: RecordedTime
    package let run: String
    /// Whether that run was a single beacon's update without a tray.
    package let isSingle: Bool
    package let order: String?

    package init(at: RecordedTime, run: String, isSingle: Bool = false, order: String? = nil) {
        (self.at, self.run, self.isSingle, self.order) = (at, run, isSingle, order)
    }

    /// `on 2026-01-31T12:00:00Z, in run 5f0c8c1e of order WO-17`.
    package var description: String {
        let id = run.prefix(8)
        return "on \(at.toSeconds), in " + (isSingle ? "a single flash, run \(id)" : "run \(id)")
            + (order.map { " of order \($0)" } ?? "")
    }
}
