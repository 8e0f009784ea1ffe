extension TraySchedule {
    /// Units that may have a link: those whose update has begun and not ended, and those that blink.
    var linking: [UnitNumber] { shown.isEmpty ? active : active + shown.keys.sorted() }

    /// The state of the unit's link: for its blink or its update, never for both.
    subscript(linking unit: UnitNumber) -> TrayUnit {
        get { shown[unit] ?? self[unit] }
        set { if shown[unit] != nil { shown[unit] = newValue } else { self[unit] = newValue } }
    }

    /// Makes a unit blink that is not at work. This is not part of its update.
    mutating func show(_ unit: UnitNumber) {
        if let refusal = refusal(toShow: unit) { return tell(.refuseBlink(unit, refusal)) }
        guard let adapter = bestAdapter(toShow: unit) else { return tell(.refuseBlink(unit, .notHeard)) }
        var blinking = TrayUnit()
        (blinking.phase, blinking.adapter, blinking.begun) = (.away, adapter, now)
        shown[unit] = blinking
        tell(.show(unit, on: adapter))
    }

    private func refusal(toShow unit: UnitNumber) -> BlinkRefusal? {
        if isStopped { return .stopped }
        if shown[unit] != nil { return .isShown }
        return active.contains(unit) ? .atWork : nil
    }

    /// An adapter with a free link that hears the unit, if there is one; of equals, the one that hears it best.
    private func bestAdapter(toShow unit: UnitNumber) -> AdapterNumber? {
        let present = present
        var best: (adapter: AdapterNumber, hasRoom: Int, advantage: Int)?
        for adapter in adapters where adapter.isThere {
            guard let advantage = self[unit].signals.advantage(of: adapter.number, over: present) else {
                continue
            }
            let hasRoom = adapter.slots.free(taken: usage(of: adapter.number).slots) > 0 ? 1 : 0
            guard best.map({ ($0.hasRoom, $0.advantage) < (hasRoom, advantage) }) ?? true else { continue }
            best = (adapter.number, hasRoom, advantage)
        }
        return best?.adapter
    }

    /// A unit no longer blinks: its update may begin.
    mutating func endBlink(_ unit: UnitNumber) {
        guard shown[unit] != nil else { return }
        _ = passConnectTurn(of: unit)
        shown[unit] = nil
    }
}
