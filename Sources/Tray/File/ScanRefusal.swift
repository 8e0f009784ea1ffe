import Bytes
import Identity

/// The reason why a code does not fill a slot.
public enum ScanRefusal: Error, Hashable, Sendable {
    /// Slot `slot` already has this beacon.
    case scannedBefore(slot: String)
    /// The code's slot has another beacon.
    case occupied(slot: String, device: String)
    /// The beacon was not heard and is not in the history.
    case unknown(device: String)
    /// The beacon has already passed.
    case passed(device: String, EarlierPass)
    /// There is no such slot. `labels`: all labels, for a spelling hint.
    case noSuchSlot(String, labels: [String])
    /// Every slot has a beacon, or its code was skipped.
    case full(slots: Int)
    /// The tray selects its beacons by a rule.
    case noSlots

    /// The override that accepts the code anyway; nil if there is none.
    public var override: ScanOverride? {
        switch self {
        case .scannedBefore: .move
        case .occupied: .replace
        case .unknown: .unknown
        case .passed: .again
        case .noSuchSlot, .full, .noSlots: nil
        }
    }
}

extension ScanRefusal: CustomStringConvertible {
    /// The reason in one line.
    public var description: String {
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
