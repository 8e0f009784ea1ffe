/// Tasks that wait for the same event; each may stop waiting earlier.
struct Continuations {
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    private var next = 0

    /// A ticket for a task that is about to wait.
    mutating func reserve() -> Int {
        next += 1
        return next
    }

    mutating func add(_ waiter: CheckedContinuation<Void, Never>, _ ticket: Int) { waiting[ticket] = waiter }

    mutating func remove(_ ticket: Int) -> CheckedContinuation<Void, Never>? {
        waiting.removeValue(forKey: ticket)
    }

    mutating func removeAll() -> [CheckedContinuation<Void, Never>] {
        defer { waiting = [:] }
        return Array(waiting.values)
    }
}
