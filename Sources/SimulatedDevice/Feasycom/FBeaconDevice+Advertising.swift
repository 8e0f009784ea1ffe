public import BluetoothTypes

/// What is heard of it. An application follows its settings; a bootloader, alone or waiting for an update, is heard and
/// takes links whatever they are, which is ours.
///
/// With `ADVIN` 0 it advertises for as long as `KEYCFG` says after each press that its plan has (`clicks`), and nothing
/// takes links in between. A plan has no motion, so `GSCFG` is kept and shown, and changes nothing; nor does
/// `KEYCFG` while it advertises by time.
extension FBeaconDevice {
    /// What its frames say now.
    var advertiser: FeasycomAdvertiser {
        var advertiser = description.advertiser
        advertiser.version = version
        advertiser.needsPIN = description.access.pin != nil
        advertiser.name = settings.name
        return advertiser
    }

    private var followsSettings: Bool {
        if case .waiting = phase { false } else { running != nil }
    }

    private var plan: AdvertisingPlan {
        var plan = description.plan
        plan.advertiser = advertiser
        plan.slots = settings.slots(in: description.plan)
        plan.start += start
        if let period = settings.period {
            plan.period = period
        } else if followsSettings, let press = settings.afterPress {
            plan.period = press.period
        }
        if followsSettings, !settings.isConnectable { plan.window.rule = .never }
        return plan
    }

    /// When it advertises, where it does not all the time: from each press to the end of its time, or to the next one.
    private var whiles: [Range<Duration>]? {
        guard settings.period == nil, followsSettings else { return nil }
        guard let press = settings.afterPress else { return [] }
        let presses = description.plan.window.clicks.sorted().map { plan.start + $0 }
        return presses.enumerated().map { index, moment in
            let end = moment + press.length
            return moment..<(index + 1 < presses.count ? min(end, presses[index + 1]) : end)
        }
    }

    private func isAdvertising(at now: Duration) -> Bool {
        whiles?.contains { $0.contains(now) } ?? true
    }

    /// The frame that it sent last.
    public func advertisement(at now: Duration) -> Advertisement? {
        isAdvertising(at: now) ? plan.latest(at: now, from: address, rssi: description.rssi) : nil
    }

    /// The frames of its plan.
    public func reports(after earlier: Duration, through now: Duration) -> [Advertisement] {
        func reports(_ earlier: Duration, _ now: Duration) -> [Advertisement] {
            plan.reports(after: earlier, through: now, from: address, rssi: description.rssi)
        }
        guard let whiles else { return reports(earlier, now) }
        return whiles.filter { $0.upperBound > earlier && $0.lowerBound < now }.flatMap {
            reports(max(earlier, $0.lowerBound), min(now, $0.upperBound))
        }
    }

    /// When its plan has the next frame.
    public func nextReport(after now: Duration) -> Duration {
        let silent = now + .milliseconds(100)
        return isAdvertising(at: now) ? plan.nextReport(after: now) ?? silent : silent
    }

    /// When its plan says so, and it advertises.
    public func takesLink(at now: Duration) -> Bool { isAdvertising(at: now) && plan.isConnectable(at: now) }
}
