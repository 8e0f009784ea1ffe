import Tray

/// A person who makes units blink.
extension SimulatedTray {
    enum BlinkEventRecord {
        case wanted, asks, connected, over
        case refused(ConnectionRefusal)
    }

    /// The units that blink, or are about to.
    func shown(over adapter: AdapterNumber) -> [State] {
        units.filter { $0.blinking != .idle && $0.shownOver == adapter }.map(\.blinking)
    }

    mutating func occur(_ event: BlinkEventRecord, to unit: UnitNumber) {
        switch event {
        case .wanted: tell(.blinkRequested(unit))
        case .asks:
            guard self[unit].blinking == .away else { return }
            self[unit].blinking = .asking
            tell(.wantsLink(unit))
        case .connected:
            guard self[unit].blinking == .connecting else { return }
            self[unit].blinking = .linked
            tell(.connected(unit))
            after(5, .blinking(unit, .over))
        case .refused(let refusal):
            guard self[unit].blinking == .connecting else { return }
            self[unit].blinking = refusal == .noAnswer ? .away : .asking
            tell(.notConnected(unit, refusal))
            if refusal == .noAnswer { after(0, .blinking(unit, .over)) }
        case .over:
            guard self[unit].blinking != .idle else { return }
            let hasLink = self[unit].blinking == .linked
            self[unit].blinking = .idle
            if hasLink { tell(.disconnected(unit)) }
            tell(.blinkEnded(unit))
        }
    }

    /// Carries out a step, and notes violations.
    mutating func show(_ unit: UnitNumber, over adapter: AdapterNumber) {
        if busy.contains(unit.value) { flaws.append("\(unit) is shown and at work") }
        if self[unit].blinking != .idle { flaws.append("\(unit) is shown twice") }
        (self[unit].blinking, self[unit].shownOver) = (.away, adapter)
        after(0.01, .blinking(unit, .asks))
    }
}
