/// Timers in the order of their moments; timers of the same moment in the order of their tickets.
struct TimerQueue {
    typealias Wake = @Sendable () -> Void

    struct Ticket: Comparable, Sendable {
        let moment: Duration
        let order: UInt64

        static func < (left: Ticket, right: Ticket) -> Bool {
            (left.moment, left.order) < (right.moment, right.order)
        }
    }

    /// The next timer to fire is last, since removing the last element moves no other.
    private var waiting: [(ticket: Ticket, wake: Wake)] = []
    private var nextOrder: UInt64 = 0

    var next: Duration? { waiting.last?.ticket.moment }

    /// A ticket for a timer that is added later.
    mutating func reserve(_ moment: Duration) -> Ticket {
        defer { nextOrder += 1 }
        return Ticket(moment: moment, order: nextOrder)
    }

    mutating func add(_ ticket: Ticket, _ wake: @escaping Wake) {
        waiting.insert((ticket, wake), at: place(of: ticket))
    }

    /// Removes a timer; nil if it is not in the queue.
    mutating func remove(_ ticket: Ticket) -> Wake? {
        let place = place(of: ticket)
        guard place < waiting.count, waiting[place].ticket == ticket else { return nil }
        return waiting.remove(at: place).wake
    }

    mutating func takeFirst() -> Wake? { waiting.popLast()?.wake }

    mutating func takeDue(by now: Duration) -> [Wake] {
        var due: [Wake] = []
        while let next, next <= now, let wake = takeFirst() { due.append(wake) }
        return due
    }

    private func place(of ticket: Ticket) -> Int {
        var range = 0..<waiting.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if waiting[middle].ticket > ticket {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }
}
