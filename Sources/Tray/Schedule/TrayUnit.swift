struct TrayUnit: Sendable {
    /// How long an update may take to ask for a link; after that, its slot is free for others. The update listens for a
    /// second, or longer for a slow beacon; a bootloader advertises one second after it is started, an application two or
    /// three seconds after a restart.
    static let requestTime = Duration.seconds(5)

    enum Phase: Equatable, Sendable {
        /// The unit's update has not begun.
        case waiting
        /// The unit's update has begun, has no link and asks for none: it listens, the unit restarts, or it ends soon.
        case away
        /// The unit's update has waited for a link since that moment.
        case asking(since: Duration)
        /// The link is being made. `since` is when the update asked for it.
        case connecting(since: Duration)
        case linked
        case ended(UnitVerdict)
    }

    var phase = Phase.waiting
    var signals = SignalMap()
    var adapter: AdapterNumber?
    var begun = Duration.zero
    var hasHadLink = false
    /// Whether the unit had a link before its adapter was lost. It may be in its bootloader, and so it continues even
    /// during a hold.
    var isResuming = false
    /// When the unit's last link or failed connection attempt ended.
    var linkEnded = Duration.zero
    /// When the unit was first permitted to connect; nil before.
    var firstPermitted: Duration?
    /// Failed connection attempts since the last link.
    var failures = 0
    /// When the unit last accepted data over this link; nil while nothing is sent.
    var progress: Duration?
    var isStalled = false
    var isGivenUp = false

    var isConnecting: Bool { if case .connecting = phase { true } else { false } }

    var hasLink: Bool { phase == .linked || isConnecting }

    /// Until when the unit keeps its slot without a link; nil if it keeps none.
    var slotKeptUntil: Duration? { phase == .away && hasHadLink ? linkEnded + Self.requestTime : nil }

    /// Whether the unit occupies a link slot: while it has a link or asks for its next one, and for the time of a
    /// restart, so that it does not wait in its bootloader. A unit that stays away for longer loses its slot to others.
    func hasSlot(at now: Duration) -> Bool {
        hasLink || hasHadLink && askingSince != nil || slotKeptUntil.map { $0 > now } ?? false
    }

    /// Until when a request for the first link is expected; nil if none is expected, or it was made already.
    var requestExpectedUntil: Duration? {
        guard phase == .away, !hasHadLink, !isGivenUp else { return nil }
        return begun + Self.requestTime
    }

    /// Since when the unit has been asking for a link; nil if it is not.
    var askingSince: Duration? {
        guard !isGivenUp, case .asking(let since) = phase else { return nil }
        return since
    }
}

/// A unit's signal strength at each adapter, in dBm.
struct SignalMap: Sendable {
    /// The weakest signal for a stable link, in dBm: near a receiver's limit, every other event is lost.
    private static let weakestSignal = -85
    /// The strength that is assumed for a report without one, in dBm.
    private static let assumedSignal: Int8 = -70
    /// Differences below this, in dB, are due to fading.
    private static let fadingRange = 6

    /// How long to wait until other adapters also hear a unit: the length of a discovery.
    private static let timeout = Duration.milliseconds(300)

    private var strengths: [AdapterNumber: Int8] = [:]
    /// When the unit was first heard; nil before.
    private var since: Duration?

    /// Keeps the strongest report: obstacles weaken the others.
    mutating func note(_ dBm: Int8?, by adapter: AdapterNumber, at now: Duration) {
        since = since ?? now
        let strength = dBm ?? Self.assumedSignal
        strengths[adapter] = max(strengths[adapter] ?? strength, strength)
    }

    /// Drops the signals of `adapter`; returns whether another has heard the unit.
    mutating func forget(_ adapter: AdapterNumber) -> Bool {
        strengths[adapter] = nil
        if strengths.isEmpty { since = nil }
        return since != nil
    }

    /// When the best of `adapters` can be chosen for the unit; nil while no adapter has heard it.
    func decisionMoment(among adapters: [AdapterNumber]) -> Duration? {
        guard let since else { return nil }
        return adapters.allSatisfy { strengths[$0] != nil } ? since : since + Self.timeout
    }

    /// How much better `adapter` hears the unit than the best of `others`, in steps of `fadingRange`: below 0 for worse,
    /// nil if it must not be used. An adapter with a weak signal is used only if no other hears the unit better.
    func advantage(of adapter: AdapterNumber, over others: [AdapterNumber]) -> Int? {
        guard let own = strengths[adapter].map({ Int($0) }) else { return nil }
        let best = others.lazy.filter { $0 != adapter }.compactMap { strengths[$0] }.max().map { Int($0) }
        guard let best else { return .max }
        guard own >= Self.weakestSignal || own >= best else { return nil }
        return (own - best) / Self.fadingRange
    }
}
