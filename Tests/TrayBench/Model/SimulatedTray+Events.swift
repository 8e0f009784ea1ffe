import TestSupport
import Tray
import UpdateModel

extension SimulatedTray {
    /// An event of a beacon or of a link.
    mutating func occur(_ event: Event) {
        switch event {
        case .advert(let unit):
            guard !self[unit].isHeard, let advert = conditions.advert else { return }
            self[unit].isHeard = !listening.isEmpty
            for adapter in listening.sorted() { tell(.heard(unit, by: adapter, dBm: -60)) }
            after(advert + .random(in: 0..<0.01, using: &random), .advert(unit))
        case .asks(let unit):
            guard self[unit].state == .away else { return }
            self[unit].state = .asking
            tell(.wantsLink(unit))
        case .connected(let unit):
            guard self[unit].state == .connecting else { return }
            connected(unit)
        case .refused(let unit, let refusal):
            guard self[unit].state == .connecting else { return }
            self[unit].state = refusal == .noAnswer ? .away : .asking
            if refusal == .noAnswer { after(0.5, .asks(unit)) }
            tell(.notConnected(unit, refusal))
        case .jumped(let unit): disconnect(unit, askingAfter: conditions.model.jump)
        case .sends(let unit):
            guard self[unit].state == .linked else { return }
            self[unit].state = .sending
            if chance(conditions.lost) { after(.random(in: 0..<9, using: &random), .lost(unit)) }
        case .lost(let unit):
            guard self[unit].state == .sending else { return }
            disconnect(unit, askingAfter: 0.5)
        case .ended(let unit, let verdict):
            guard self[unit].state != .ended else { return }
            self[unit].state = .ended
            busy.removeAll { $0 == unit.value }
            tell(.finished(unit, verdict))
        case .blinking(let unit, let event): occur(event, to: unit)
        }
    }

    private mutating func connected(_ unit: UnitNumber) {
        self[unit].state = .linked
        self[unit].links += 1
        let isEntering = conditions.model.connects > 1 && self[unit].links == 1
        tell(.connected(unit))
        if isEntering {
            after(0, .jumped(unit))
        } else {
            after(
                conditions.model.connects == 1 && self[unit].links == 1 ? conditions.model.jump : 0,
                .sends(unit))
        }
    }

    /// A unit has its firmware.
    mutating func complete(_ unit: UnitNumber) {
        self[unit].state = .away
        tell(.sentAll(unit))
        tell(.disconnected(unit))
        after(
            conditions.model.restart,
            .ended(
                unit,
                chance(conditions.fails)
                    ? UnitVerdict(.failed, code: .device.didNotReappear) : UnitVerdict(.passed)))
    }

    private mutating func disconnect(_ unit: UnitNumber, askingAfter pause: Double) {
        guard [.linked, .sending].contains(self[unit].state) else { return }
        self[unit].state = .away
        tell(.disconnected(unit))
        after(pause, .asks(unit))
    }

    subscript(_ unit: UnitNumber) -> Unit {
        get { units[unit.value] }
        set { units[unit.value] = newValue }
    }

    // MARK: steps of the schedule

    /// Carries out a step, and notes violations.
    mutating func carryOut(_ step: TrayStep) {
        switch step {
        case .begin(let unit, let adapter):
            if self[unit].state != .idle { flaws.append("\(unit) begins twice") }
            if self[unit].blinking != .idle { flaws.append("\(unit) begins and is shown") }
            if isHeld { flaws.append("\(unit) begins on a tray that is held") }
            self[unit].state = .away
            self[unit].adapter = adapter
            busy.append(unit.value)
            if self[unit].isVanished {
                after(30, .ended(unit, UnitVerdict(.failed, code: .device.deviceNotFound)))
            } else {
                after(conditions.preparation, .asks(unit))
            }
        case .connect(let plan): connect(plan)
        case .listen(let adapter): listening.insert(adapter)
        case .stopListening(let adapter): listening.remove(adapter)
        case .hold: isHeld = true
        case .giveUp(let unit, let reason):
            if self[unit].isLeftAlone { flaws.append("\(unit) is given up twice") }
            self[unit].isLeftAlone = true
            after(
                0.1,
                .ended(
                    unit,
                    reason == .notHeard
                        ? UnitVerdict(.failed, code: .device.deviceNotFound) : UnitVerdict(.aborted)))
        case .blink(let unit, let adapter): show(unit, over: adapter)
        case .endBlink(let unit): after(0.1, .blinking(unit, .over))
        case .refuse, .retune, .stalled, .refuseBlink: break
        }
    }

    private mutating func connect(_ plan: ConnectionPlan) {
        let (unit, adapter) = (plan.unit, plan.adapter)
        let others = busy.map { units[$0] }.filter { $0.adapter == adapter }
        let states = others.map(\.state) + shown(over: adapter)
        let status = states.count { $0 == .linked || $0 == .sending }
        let isShown = self[unit].blinking != .idle
        let state = isShown ? self[unit].blinking : self[unit].state
        if state != .asking { flaws.append("\(unit) connects and is \(state)") }
        if (isShown ? self[unit].shownOver : self[unit].adapter) != adapter {
            flaws.append("\(unit) changes its adapter")
        }
        if states.contains(.connecting) { flaws.append("two connect with \(adapter)") }
        if isHeld, plan.isFirst, !isShown { flaws.append("\(unit) starts on a tray that is held") }
        if conditions.isRoomKnown, status >= conditions.room { flaws.append("more links than slots") }
        mostLinks = max(mostLinks, min(status + 1, conditions.room))
        if isShown { self[unit].blinking = .connecting } else { self[unit].state = .connecting }
        let limit = Double(Self.microseconds(plan.limit)) / 1e6
        let length =
            conditions.advert.map { Double.random(in: 0..<$0, using: &random) + $0 }
            ?? conditions.model.connect
        if status >= conditions.room {
            after(
                min(length, limit),
                isShown ? .blinking(unit, .refused(.tooManyLinks)) : .refused(unit, .tooManyLinks))
        } else if chance(conditions.deaf) || length > limit {
            after(limit, isShown ? .blinking(unit, .refused(.noAnswer)) : .refused(unit, .noAnswer))
        } else {
            after(length, isShown ? .blinking(unit, .connected) : .connected(unit))
        }
    }
}
