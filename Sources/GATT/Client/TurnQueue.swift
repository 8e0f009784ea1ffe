/// Lets tasks take turns in the order in which they came.
struct TurnQueue {
    private var isTaken = false
    private var waiting: [(ticket: UInt64, waiter: CheckedContinuation<Bool, Never>)] = []
    private var nextTicket: UInt64 = 0

    /// A number to wait under.
    mutating func drawTicket() -> UInt64 {
        defer { nextTicket += 1 }
        return nextTicket
    }

    /// Resumes `waiter` with true when the turn is its own; it has to be passed on then.
    mutating func enqueue(_ waiter: CheckedContinuation<Bool, Never>, ticket: UInt64) {
        guard isTaken else {
            isTaken = true
            return waiter.resume(returning: true)
        }
        waiting.append((ticket, waiter))
    }

    /// Resumes the waiter of `ticket` with false, if it still waits.
    mutating func leave(ticket: UInt64) {
        guard let place = waiting.firstIndex(where: { $0.ticket == ticket }) else { return }
        waiting.remove(at: place).waiter.resume(returning: false)
    }

    /// Hands the turn to the next, if there is one.
    mutating func pass() {
        guard waiting.isEmpty else { return waiting.removeFirst().waiter.resume(returning: true) }
        isTaken = false
    }
}
