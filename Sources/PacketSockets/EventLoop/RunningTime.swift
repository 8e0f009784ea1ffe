/// Time as it has passed for a loop that was not always there: while its process was stopped, nothing that it waits for
/// could be seen, so that time does not count and every deadline is given once more.
struct RunningTime: Equatable, Sendable {
    /// What lies between two looks at the clock.
    enum Pause: Equatable, Sendable {
        /// Something ran.
        case work
        /// The loop slept, at most for `limit`; `wasWoken` by a descriptor, and not by time.
        case sleep(limit: Duration?, wasWoken: Bool)
    }

    /// Nothing here runs so long, and no thread waits so long for a processor, unless something is wrong.
    static let absence = Duration.seconds(2)

    private var clock = Duration.zero
    /// How much did not count.
    private(set) var missed = Duration.zero

    /// The clock shows `moment`; the time that has passed by then.
    mutating func pass(to moment: Duration, after pause: Pause) -> Duration {
        let length = moment - clock
        clock = moment
        if Self.isAbsence(length, pause) { missed += length }
        return moment - missed
    }

    /// Where a sleep was overrun, nobody knows which part of it was slept, so none of it counts. A sleep that ends
    /// early without a reason was ended by the signal that continues a stopped process.
    private static func isAbsence(_ length: Duration, _ pause: Pause) -> Bool {
        guard length >= absence else { return false }
        return switch pause {
        case .work: true
        case .sleep(nil, _): false
        case .sleep(let limit?, let wasWoken): length >= limit + absence || !wasWoken && length < limit
        }
    }
}
