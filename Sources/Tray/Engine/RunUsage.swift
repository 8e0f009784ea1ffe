import UpdateEngine

/// How busy the adapters of a run were.
struct RunUsage {
    private struct Work {
        /// The total time of all connection attempts.
        var connecting = Duration.zero
        /// When units ended whose last connection attempt was over this adapter.
        var ends: [Duration] = []
        var mostLinks = 0
    }

    /// The connect queue counts as a run's limit if it is busy for at least this share of the time between the ends of
    /// the first and the last unit.
    private static let limitingShare = 0.95

    private var works: [AdapterNumber: Work] = [:]
    private var since: [UnitNumber: (adapter: AdapterNumber, moment: Duration)] = [:]
    private var adapters: [UnitNumber: AdapterNumber] = [:]

    func mostLinks(of adapter: AdapterNumber) -> Int { works[adapter]?.mostLinks ?? 0 }

    /// Records that a unit may connect.
    mutating func began(_ plan: ConnectionPlan, at moment: Duration) {
        since[plan.unit] = (plan.adapter, moment)
        adapters[plan.unit] = plan.adapter
    }

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

    /// What limited the run: the connect queue, if it was always busy; otherwise what limited most of the transfers. Nil
    /// if nothing was sent.
    func limitingFactor(_ records: [UnitRecord], session: Int) -> String? {
        let transfers = records.flatMap(\.attempts).filter { $0.session == session }.compactMap(\.transfer)
        guard !transfers.isEmpty else { return nil }
        if works.values.contains(where: { Self.connectQueueShare(of: $0) >= Self.limitingShare }) {
            return "connector"
        }
        let counts = Dictionary(transfers.compactMap(\.limitedBy).map { ($0, 1) }, uniquingKeysWith: +)
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// The share of the time that the connect queue was busy while units ended one after the other.
    private static func connectQueueShare(of work: Work) -> Double {
        guard let first = work.ends.min(), let last = work.ends.max(), last > first else { return 0 }
        let count = Double(work.ends.count)
        return work.connecting / count * (count - 1) / (last - first)
    }
}
