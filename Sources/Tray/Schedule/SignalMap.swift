/// How strongly the adapters hear a unit, in dBm.
struct SignalMap: Sendable {
    /// What an adapter needs for links that last; near the limit of its sensitivity every other event is lost.
    private static let floor = -85
    /// What is assumed of a report without a strength.
    private static let assumed: Int8 = -70
    /// Differences below this are fading.
    private static let fading = 6

    /// How long a unit that one adapter has heard may take to be heard by the others: as long as a discovery is short.
    private static let timeout = Duration.milliseconds(300)

    private var strengths: [AdapterNumber: Int8] = [:]

    /// When it was heard first.
    private var since: Duration?

    /// Keeps the strongest report: what comes weaker was in the way of something.
    mutating func note(_ dBm: Int8?, by adapter: AdapterNumber, at now: Duration) {
        since = since ?? now
        let strength = dBm ?? Self.assumed
        strengths[adapter] = max(strengths[adapter] ?? strength, strength)
    }

    /// `adapter` hears nothing any more; returns whether some other has heard the unit.
    mutating func forget(_ adapter: AdapterNumber) -> Bool {
        strengths[adapter] = nil
        if strengths.isEmpty { since = nil }
        return since != nil
    }

    /// When it can be said which of `adapters` hears it best; nil while none has heard it.
    func settled(among adapters: [AdapterNumber]) -> Duration? {
        guard let since else { return nil }
        return adapters.allSatisfy { strengths[$0] != nil } ? since : since + Self.timeout
    }

    /// By how many fadings `adapter` hears the unit better than the best of `others`; nil where it is not to be used. One
    /// that hears it badly is used only where no other hears it better.
    func advantage(of adapter: AdapterNumber, over others: [AdapterNumber]) -> Int? {
        guard let own = strengths[adapter].map({ Int($0) }) else { return nil }
        let best = others.lazy.filter { $0 != adapter }.compactMap { strengths[$0] }.max().map { Int($0) }
        guard let best else { return .max }
        guard own >= Self.floor || own >= best else { return nil }
        return (own - best) / Self.fading
    }
}
