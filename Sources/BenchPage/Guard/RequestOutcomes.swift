/// The outcomes of requests, by their keys: a request that is repeated because its answer was lost gets the same answer
/// and has no second effect.
struct RequestOutcomes: Sendable {
    private struct Entry: Sendable {
        let action: PageRequest
        let user: PageUser
        /// Nil while it is in progress.
        var outcome: Result<Void, PageRefusal>?
    }

    private var entries: [String: Entry] = [:]
    private var order: [String] = []

    /// Returns true if the request `action` of `user` under `key` is new: then the caller performs it and calls `end`.
    /// Returns false if it was accepted before.
    mutating func begin(
        _ key: String?, _ action: PageRequest, for user: PageUser
    ) throws(PageRefusal) -> Bool {
        guard let key, (8...128).contains(key.utf8.count) else {
            throw .malformed("a request needs an Idempotency-Key of 8 to 128 bytes")
        }
        if let entry = entries[key] {
            guard entry.action == action, entry.user == user else { throw .keyReused }
            guard let outcome = entry.outcome else { throw .keyBusy }
            try outcome.get()
            return false
        }
        entries[key] = Entry(action: action, user: user)
        order.append(key)
        if order.count > PageLimits.requests { entries[order.removeFirst()] = nil }
        return true
    }

    /// Records the outcome of the request under `key`; nil for `refusal` means that it was accepted. A request that
    /// failed temporarily, or with an unknown outcome, may be repeated.
    mutating func end(_ key: String?, _ refusal: PageRefusal?) {
        guard let key else { return }
        if let refusal, refusal.status >= 500 {
            entries[key] = nil
            order.removeAll { $0 == key }
            return
        }
        entries[key]?.outcome = refusal.map { .failure($0) } ?? .success(())
    }
}
