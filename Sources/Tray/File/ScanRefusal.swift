import BeaconIdentity
import Spelling

/// Why a code does not fill a slot.
public enum ScanRefusal: Error, Hashable, Sendable {
    /// Slot `slot` has this beacon already.
    case scannedBefore(slot: String)
    /// The slot that the code is for has another beacon.
    case occupied(slot: String, device: String)
    /// Nobody has heard of the beacon.
    case unknown(device: String)
    /// The beacon has passed already.
    case passed(device: String, EarlierPass)
    /// There is no such slot; the nearest is one of `labels`.
    case noSuchSlot(String, labels: [String])
    /// Every slot has a beacon, or its code was left out.
    case full(slots: Int)
    /// A rule says which beacons are meant.
    case noSlots

    /// What lets the code in all the same; nil where nothing does.
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
    /// One line for people.
    public var description: String {
        switch self {
        case .scannedBefore(let slot): "this beacon is in slot '\(slot)' already"
        case .occupied(let slot, let device): "slot '\(slot)' has another beacon already, \(device)"
        case .unknown(let device): "nobody knows of a beacon \(device)"
        case .passed(let device, let pass): "\(device) has passed already, \(pass)"
        case .noSuchSlot(let slot, let labels):
            "there is no slot '\(slot)'" + Spelling.hint(for: slot, in: labels)
        case .full(let slots): "none of the \(slots) slots is free"
        case .noSlots: "this tray has a rule and no slots to fill"
        }
    }
}
