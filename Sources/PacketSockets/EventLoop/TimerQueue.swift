/// Who is to be woken when, the next first; of two at the same moment the one that came first.
struct TimerQueue {
    typealias Wake = @Sendable () -> Void

    /// A place in the queue, known before anybody stands there.
    struct Ticket: Comparable, Sendable {
        let moment: Duration
        let order: UInt64

        static func < (left: Ticket, right: Ticket) -> Bool {
            (left.moment, left.order) < (right.moment, right.order)
        }
    }

    /// The last is the next: taking it moves nothing.
    private var waiting: [(ticket: Ticket, wake: Wake)] = []
    private var nextOrder: UInt64 = 0

    /// When the next is due.
    var next: Duration? { waiting.last?.ticket.moment }

    /// A place for somebody who wants to be woken at `moment`.
    mutating func reserve(_ moment: Duration) -> Ticket {
        defer { nextOrder += 1 }
        return Ticket(moment: moment, order: nextOrder)
    }

    /// Adds the one who has `ticket`.
    mutating func add(_ ticket: Ticket, _ wake: @escaping Wake) {
        waiting.insert((ticket, wake), at: place(of: ticket))
    }

    /// Takes out the one who has `ticket`; nil when he is not there.
    mutating func remove(_ ticket: Ticket) -> Wake? {
        let place = place(of: ticket)
        guard place < waiting.count, waiting[place].ticket == ticket else { return nil }
        return waiting.remove(at: place).wake
    }

    /// Takes out the next.
    mutating func takeFirst() -> Wake? { waiting.popLast()?.wake }

    /// Takes out all that are due by `now`.
    mutating func takeDue(by now: Duration) -> [Wake] {
        var due: [Wake] = []
        while let next, next <= now, let wake = takeFirst() { due.append(wake) }
        return due
    }

    /// Where `ticket` stands or would stand.
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
