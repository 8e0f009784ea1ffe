import Tray

/// How busy the scarce things of a run were.
struct RunUsage {
    private var connecting: [AdapterNumber: Duration] = [:]
    private var since: [UnitNumber: (adapter: AdapterNumber, moment: Duration)] = [:]
    private var first: Duration?
    private var last = Duration.zero
    /// The most links that an adapter had at a time.
    private(set) var mostLinks: [AdapterNumber: Int] = [:]

    /// A unit may connect.
    mutating func began(_ plan: ConnectionPlan, at moment: Duration) {
        first = first ?? moment
        since[plan.unit] = (plan.adapter, moment)
    }

    /// Notes when its attempt is over, and when the last unit's turn is.
    mutating func note(_ fact: TrayFact, at moment: Duration) {
        switch fact {
        case .connected(let unit), .notConnected(let unit, _):
            guard let begin = since.removeValue(forKey: unit) else { return }
            connecting[begin.adapter, default: .zero] += moment - begin.moment
        case .finished: last = moment
        default: break
        }
    }

    mutating func note(links: Int, of adapter: AdapterNumber) {
        mostLinks[adapter] = max(mostLinks[adapter] ?? 0, links)
    }

    /// The connector, where one made links nearly all the time; else the links, where as many stood as may; else what most
    /// units' transfers were bounded by. Nil where nothing was sent.
    func limitingFactor(_ records: [UnitRecord], session: Int) -> String? {
        let transfers = records.flatMap(\.attempts).filter { $0.session == session }.compactMap(\.transfer)
        guard let first, last > first, !transfers.isEmpty else { return nil }
        let busiest = connecting.values.max() ?? .zero
        // The first links are made while no unit ends yet, the last units end while no link is made.
        if busiest / (last - first) >= 0.75 { return "connector" }
        let counts = Dictionary(transfers.map { ($0.limitedBy, 1) }, uniquingKeysWith: +)
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
}
