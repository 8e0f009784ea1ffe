/// Timers in the order of their moments; timers of the same moment in the order in which they were added.
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

    mutating func add(at moment: Duration, _ wake: @escaping Wake) -> Ticket {
        let ticket = Ticket(moment: moment, order: nextOrder)
        nextOrder += 1
        waiting.insert((ticket, wake), at: place(of: ticket))
        return ticket
    }

    mutating func remove(_ ticket: Ticket) {
        let place = place(of: ticket)
        if place < waiting.count, waiting[place].ticket == ticket { waiting.remove(at: place) }
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
