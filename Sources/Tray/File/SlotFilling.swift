import Firmware

/// A tray whose slots are filled from a scanner, code by code.
package struct SlotFilling: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        /// The slot at this index now has the beacon.
        case filled(Int)
        /// The slot at this index already had this beacon: it was scanned twice, or a list repeats the tray's entry.
        case unchanged(Int)
    }

    package private(set) var tray: TrayFile
    private var latest: Reading?
    private var passedOver: Set<Int> = []

    private struct Reading: Hashable {
        let code: ScannedCode
        let slot: Int
        var moment: Duration
    }

    package init(_ tray: TrayFile) { self.tray = tray }

    /// Index of the slot that a code without a slot would fill; nil if none is free.
    package var next: Int? {
        tray.slots.indices.first { tray.slots[$0].device == nil && !passedOver.contains($0) }
    }

    /// The slots that wait for a beacon, in words; nil if there are none.
    package var openSlots: String? {
        let skipped = Set(skipped)
        return tray.slots.runs { $0.device == nil && !skipped.contains($0.label) }
    }

    /// The slots that stay empty because the operator has skipped them.
    package var skipped: [String] {
        passedOver.sorted().filter { tray.slots[$0].device == nil }.map { tray.slots[$0].label }
    }

    /// Leaves the next empty slot empty; returns its label, or nil if none is free.
    package mutating func skipSlot() -> String? {
        guard let next else { return nil }
        passedOver.insert(next)
        return tray.slots[next].label
    }

    /// The same code within this time of its last reading is ignored: a scanner repeats a label that it sees for long.
    static let debounceTime = Duration.seconds(1)

    /// Fills the slot of `code`. `moment`: when it was scanned, on any monotonic clock; nil for a list. `overrides`:
    /// what the operator has accepted. A refusal changes nothing.
    package mutating func fill(
        with code: ScannedCode, at moment: Duration? = nil, status: CodeStatus = .expected,
        allowing overrides: Set<ScanOverride> = []
    ) throws(ScanRefusal) -> Outcome {
        var slots = tray.slots
        guard !slots.isEmpty else { throw .noSlots }
        if let latest, let moment, latest.code == code, moment - latest.moment < Self.debounceTime {
            self.latest?.moment = moment
            return .unchanged(latest.slot)
        }
        let meanings = Set(code.device.meanings)
        let holders = slots.indices.filter { !meanings.isDisjoint(with: slots[$0].device?.meanings ?? []) }
        let named = try index(of: code.slot, in: slots)
        if let named, holders == [named] { return .unchanged(named) }
        func refuse(_ refusal: ScanRefusal) throws(ScanRefusal) {
            guard let override = refusal.override, overrides.contains(override) else { throw refusal }
        }
        if let holder = holders.first { try refuse(.scannedBefore(slot: slots[holder].label)) }
        switch status {
        case .expected: break
        case .unknown: try refuse(.unknown(device: "\(code.device)"))
        case .passed(let pass): try refuse(.passed(device: "\(code.device)", pass))
        }
        guard let target = named ?? next else { throw .full(slots: slots.count) }
        if let other = slots[target].device, !holders.contains(target) {
            try refuse(.occupied(slot: slots[target].label, device: "\(other)"))
        }
        for holder in holders { slots[holder].device = nil }
        slots[target].device = code.device
        tray.units = .slots(slots)
        latest = moment.map { Reading(code: code, slot: target, moment: $0) }
        return .filled(target)
    }

    private func index(of label: String?, in slots: [TraySlot]) throws(ScanRefusal) -> Int? {
        guard let label else { return nil }
        if let index = slots.firstIndex(where: { $0.label == label }) { return index }
        throw .noSuchSlot(label, labels: slots.map(\.label))
    }
}
