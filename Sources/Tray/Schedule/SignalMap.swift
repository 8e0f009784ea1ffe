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
