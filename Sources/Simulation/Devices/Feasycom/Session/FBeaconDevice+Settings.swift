/// Reading and changing settings, and blinking or beeping (fbeacon.md, Settings, Showing itself).
extension FBeaconDevice {
    /// `VER` is read-only, `BUZ` write-only.
    mutating func carryOut(_ name: String, _ value: String?, at now: Duration) -> String {
        guard let value else {
            let found = name == "VER" ? [advertiser.software] : settings[name]
            return found.map { description.answers.values($0, of: name) } ?? FBeaconAnswers.error
        }
        let isDone = name == "BUZ" ? sound(value, at: now) : change(name, to: value, at: now)
        return isDone ? FBeaconAnswers.done : FBeaconAnswers.error
    }

    private mutating func change(_ name: String, to value: String, at now: Duration) -> Bool {
        guard settings[name] != nil else { return false }
        counts.changes += 1
        var changed = settings
        guard !receiver.faults.has(.refuseSetting(counts.changes)), changed.set(name, to: value) else {
            return false
        }
        if name == "LED" { shine(for: changed.light, at: now) }
        guard !receiver.faults.has(.forgetSetting(counts.changes)) else { return true }
        settings = changed
        receiver.flash.keep(settings, now)
        return true
    }

    /// Turns the LED on from now, whether or not it is on already.
    private mutating func shine(for time: Duration, at now: Duration) {
        counts.stopLight(at: now)
        if time > .zero { counts.lights.append(FBeaconSignal(from: now, for: time)) }
    }

    /// `0`, or `1` and a number whose meaning is not public. A buzzer that is on stays on.
    private mutating func sound(_ value: String, at now: Duration) -> Bool {
        guard description.advertiser.features.contains(.buzzer) else { return false }
        if value == "0" {
            counts.stopSound(at: now)
            return true
        }
        guard let (isOn, number) = FBeaconSetting.interval(value), isOn == 1, 1...65_535 ~= number else {
            return false
        }
        let isSounding = counts.sounds.last.map { $0.end == nil } ?? false
        if !isSounding { counts.sounds.append(FBeaconSignal(from: now)) }
        return true
    }
}
