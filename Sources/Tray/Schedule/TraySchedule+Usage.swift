extension TraySchedule {
    /// The load of an adapter.
    struct Usage {
        /// Links that are up or being made.
        var links = 0
        /// Units that have a slot.
        var slots = 0
        /// Units whose update has begun and not ended.
        var units = 0
        /// Units that wait for their first link, or soon will.
        var prepared = 0
    }

    func usage(of adapter: AdapterNumber) -> Usage {
        var usage = Usage()
        usage.units = active.count { self[$0].adapter == adapter }
        for unit in linking.lazy.map({ self[linking: $0] }) where unit.adapter == adapter {
            if unit.hasLink { usage.links += 1 }
            if unit.hasSlot(at: now) { usage.slots += 1 }
            if !unit.hasStood, unit.asking != nil || unit.expected.map({ $0 > now }) ?? false {
                usage.prepared += 1
            }
        }
        return usage
    }
}
