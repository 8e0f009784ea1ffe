/// Lets tasks take turns in the order in which they came.
struct TurnQueue {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Takes the turn if it is free.
    mutating func takeIfFree() -> Bool {
        guard !isTaken else { return false }
        isTaken = true
        return true
    }

    /// Waits for the turn; it is taken when the continuation is resumed.
    mutating func enqueue(_ waiter: CheckedContinuation<Void, Never>) { waiting.append(waiter) }

    /// Hands the turn to the next, if there is one.
    mutating func pass() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        isTaken = false
    }
}
