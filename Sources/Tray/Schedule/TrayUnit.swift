struct TrayUnit: Sendable {
    /// How long an update may take to ask for a link before other units start: it listens for a second, and for longer
    /// with a slow beacon; a bootloader is back a second after a jump, an application two or three seconds after a
    /// restart.
    static let timeout = Duration.seconds(5)

    enum Phase: Equatable, Sendable {
        /// Its update has not begun.
        case waiting
        /// Its update has begun, and does not ask for a link: it listens, the unit restarts, or it is over soon.
        case away
        /// Its update has waited for a link since that moment.
        case asking(since: Duration)
        case connecting(since: Duration)
        case linked
        case ended(UnitVerdict)
    }

    var phase = Phase.waiting
    var signals = SignalMap()
    var adapter: AdapterNumber?
    var begun = Duration.zero
    var hasStood = false
    /// Whether it had a link before its adapter was lost: it may be in its bootloader, and continues though no others
    /// begin.
    var isResuming = false
    /// When its last link ended.
    var left = Duration.zero
    /// When it was first permitted to connect.
    var started: Duration?
    /// Attempts since the last link.
    var failures = 0
    /// When it last accepted something over this link; nil while nothing is sent.
    var progress: Duration?
    var isStalled = false
    var isGivenUp = false

    var isConnecting: Bool { if case .connecting = phase { true } else { false } }

    var hasLink: Bool { phase == .linked || isConnecting }

    /// Until when its slot is kept without a link; nil if no slot is kept.
    var lease: Duration? { phase == .away && hasStood ? left + Self.timeout : nil }

    /// Whether it occupies a link slot: while it has a link, and then for the time of a restart, so that it does not
    /// wait in its bootloader. A unit that stays away for longer loses its slot to others.
    func hasSlot(at now: Duration) -> Bool {
        hasLink || hasStood && asking != nil || lease.map { $0 > now } ?? false
    }

    /// Until when a request for its first link is expected; nil if none is, or it was made already.
    var expected: Duration? {
        guard phase == .away, !hasStood, !isGivenUp else { return nil }
        return begun + Self.timeout
    }

    /// Since when it has been asking for a link.
    var asking: Duration? {
        guard !isGivenUp, case .asking(let since) = phase else { return nil }
        return since
    }
}

/// A unit's signal strength at each adapter, in dBm.
struct SignalMap: Sendable {
    /// The minimum for a stable link; near the sensitivity limit every other event is lost.
    private static let floor = -85
    /// Assumed for a report without a strength.
    private static let assumed: Int8 = -70
    /// Smaller differences are due to fading.
    private static let fading = 6

    /// How long to wait until the other adapters hear a unit that one has heard: the length of a discovery.
    private static let timeout = Duration.milliseconds(300)

    private var strengths: [AdapterNumber: Int8] = [:]
    /// When it was first heard.
    private var since: Duration?

    /// Keeps the strongest report: weaker ones were obstructed.
    mutating func note(_ dBm: Int8?, by adapter: AdapterNumber, at now: Duration) {
        since = since ?? now
        let strength = dBm ?? Self.assumed
        strengths[adapter] = max(strengths[adapter] ?? strength, strength)
    }

    /// Drops the signals of `adapter`; returns whether another has heard the unit.
    mutating func forget(_ adapter: AdapterNumber) -> Bool {
        strengths[adapter] = nil
        if strengths.isEmpty { since = nil }
        return since != nil
    }

    /// When the best of `adapters` can be chosen; nil while none has heard the unit.
    func settled(among adapters: [AdapterNumber]) -> Duration? {
        guard let since else { return nil }
        return adapters.allSatisfy { strengths[$0] != nil } ? since : since + Self.timeout
    }

    /// How much better `adapter` hears the unit than the best of `others`, in steps of `fading`; nil if it is not to be
    /// used. An adapter with a weak signal is used only if no other hears the unit better.
    func advantage(of adapter: AdapterNumber, over others: [AdapterNumber]) -> Int? {
        guard let own = strengths[adapter].map({ Int($0) }) else { return nil }
        let best = others.lazy.filter { $0 != adapter }.compactMap { strengths[$0] }.max().map { Int($0) }
        guard let best else { return .max }
        guard own >= Self.floor || own >= best else { return nil }
        return (own - best) / Self.fading
    }
}
