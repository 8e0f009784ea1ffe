import Tray

/// A person who wants to see where units are.
extension SimulatedTray {
    enum ShowingEvent {
        case wanted, asks, connected, over
        case refused(ConnectionRefusal)
    }

    /// Who shows itself, or is about to.
    func shown(over adapter: AdapterNumber) -> [State] {
        units.filter { $0.showing != .idle && $0.shownOver == adapter }.map(\.showing)
    }

    mutating func occur(_ event: ShowingEvent, to unit: UnitNumber) {
        switch event {
        case .wanted: tell(.showingWanted(unit))
        case .asks:
            guard self[unit].showing == .away else { return }
            self[unit].showing = .asking
            tell(.wantsLink(unit))
        case .connected:
            guard self[unit].showing == .connecting else { return }
            self[unit].showing = .linked
            tell(.connected(unit))
            after(5, .showing(unit, .over))
        case .refused(let refusal):
            guard self[unit].showing == .connecting else { return }
            self[unit].showing = refusal == .noAnswer ? .away : .asking
            tell(.notConnected(unit, refusal))
            if refusal == .noAnswer { after(0, .showing(unit, .over)) }
        case .over:
            guard self[unit].showing != .idle else { return }
            let hasLink = self[unit].showing == .linked
            self[unit].showing = .idle
            if hasLink { tell(.disconnected(unit)) }
            tell(.showingEnded(unit))
        }
    }

    /// Does what is asked for, and notes what must not be.
    mutating func show(_ unit: UnitNumber, over adapter: AdapterNumber) {
        if busy.contains(unit.value) { flaws.append("\(unit) is shown and at work") }
        if self[unit].showing != .idle { flaws.append("\(unit) is shown twice") }
        (self[unit].showing, self[unit].shownOver) = (.away, adapter)
        after(0.01, .showing(unit, .asks))
    }
}
