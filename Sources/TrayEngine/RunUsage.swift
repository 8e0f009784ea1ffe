import Tray

/// How busy the scarce things of a run were.
struct RunUsage {
    /// What an adapter has done.
    private struct Work {
        /// How long it has been making links.
        var connecting = Duration.zero
        /// When units' turns on it have ended that had a link.
        var ends: [Duration] = []
        var mostLinks = 0
    }

    /// The connector bounds a run that it is busy for so much of the time between the first unit's end and the last one's
    /// (tray-and-benches.md, 6).
    private static let bound = 0.95

    private var works: [AdapterNumber: Work] = [:]
    private var since: [UnitNumber: (adapter: AdapterNumber, moment: Duration)] = [:]
    private var adapters: [UnitNumber: AdapterNumber] = [:]

    /// The most links that an adapter had at a time.
    func mostLinks(of adapter: AdapterNumber) -> Int { works[adapter]?.mostLinks ?? 0 }

    /// A unit may connect.
    mutating func began(_ plan: ConnectionPlan, at moment: Duration) {
        since[plan.unit] = (plan.adapter, moment)
        adapters[plan.unit] = plan.adapter
    }

    /// Notes when an attempt to connect is over, and when a unit's turn is.
    mutating func note(_ fact: TrayFact, at moment: Duration) {
        switch fact {
        case .connected(let unit), .notConnected(let unit, _):
            guard let begin = since.removeValue(forKey: unit) else { return }
            works[begin.adapter, default: Work()].connecting += moment - begin.moment
        case .finished(let unit, _):
            guard let adapter = adapters.removeValue(forKey: unit) else { return }
            works[adapter, default: Work()].ends.append(moment)
        default: break
        }
    }

    mutating func note(links: Int, of adapter: AdapterNumber) {
        works[adapter, default: Work()].mostLinks = max(mostLinks(of: adapter), links)
    }

    /// What bounded the run: the connector, where units ended as fast as it makes links; else what most transfers were
    /// bounded by. Nil where nothing was sent.
    func limitingFactor(_ records: [UnitRecord], session: Int) -> String? {
        let transfers = records.flatMap(\.attempts).filter { $0.session == session }.compactMap(\.transfer)
        guard !transfers.isEmpty else { return nil }
        if works.values.contains(where: { Self.connectQueueShare(of: $0) >= Self.bound }) { return "connector" }
        let counts = Dictionary(transfers.compactMap(\.limitedBy).map { ($0, 1) }, uniquingKeysWith: +)
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// Which part of the time the connector is busy while units end one after the other.
    private static func connectQueueShare(of work: Work) -> Double {
        guard let first = work.ends.min(), let last = work.ends.max(), last > first else { return 0 }
        let count = Double(work.ends.count)
        return work.connecting / count * (count - 1) / (last - first)
    }
}
