extension TraySchedule {
    /// The interval for all links to come: as many as there are slots, or units left.
    private func interval(of adapter: TrayAdapter, _ usage: Usage) -> Duration {
        let left = usage.units + (isProven ? waiting.count : 0)
        return CommonInterval.interval(for: max(usage.links, min(adapter.slots.limit, left)))
    }

    /// Sets the interval that is right now on all links.
    mutating func tune() {
        for index in adapters.indices { tune(index) }
    }

    mutating func tune(_ index: Int) {
        let adapter = adapters[index]
        let usage = usage(of: adapter.number)
        guard usage.links > 0 else { return }
        let interval = interval(of: adapter, usage)
        guard interval != adapter.interval else { return }
        adapters[index].interval = interval
        let isLinked = linking.contains {
            self[linking: $0].adapter == adapter.number && self[linking: $0].phase == .linked
        }
        if isLinked {
            tell(.retune(adapter.number, interval: interval))
        }
    }

    /// Whether there are units to be listened for.
    var hasUnheard: Bool { unheard.contains { mayStart || self[$0].isResuming } }

    /// Starts and stops listening.
    mutating func listen() {
        let hasUnheard = hasUnheard
        for index in adapters.indices {
            let adapter = adapters[index]
            // Only listening shows that an adapter is back.
            let isDue =
                !adapter.isThere
                || hasUnheard
                    && ListeningPlan.isDue(at: now, hasLinks: usage(of: adapter.number).links > 0)
            guard isDue != adapter.isListening else { continue }
            adapters[index].isListening = isDue
            tell(isDue ? .listen(adapter.number) : .rest(adapter.number))
        }
    }
}
