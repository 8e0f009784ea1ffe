public import Bluetooth

/// How it advertises. An application follows its settings; a bootloader, alone or waiting for an update, always
/// advertises and accepts links, which is our choice.
///
/// With `ADVIN` 0 it advertises for the duration in `KEYCFG` after each press in its plan (`clicks`), and accepts no
/// links in between. A plan has no motion, so `GSCFG` is stored and reported without effect; so is `KEYCFG` while it
/// advertises periodically.
extension FBeaconDevice {
    /// The current content of its frames.
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

    /// When it advertises, if not always: from each press to the end of its duration, or to the next press.
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

    /// The last frame sent by `now`.
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

    /// When its plan sends the next frame.
    public func nextReport(after now: Duration) -> Duration {
        let silent = now + .milliseconds(100)
        return isAdvertising(at: now) ? plan.nextReport(after: now) ?? silent : silent
    }

    /// Whether its plan allows a connection, and it advertises.
    public func takesLink(at now: Duration) -> Bool { isAdvertising(at: now) && plan.isConnectable(at: now) }
}
