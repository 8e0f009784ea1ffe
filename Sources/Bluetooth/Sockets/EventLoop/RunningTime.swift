/// The clock of a loop whose process may be stopped (SIGSTOP). While it was stopped, the loop could not see the
/// events that it waits for, so that time does not count and every deadline is extended by it.
struct RunningTime: Equatable, Sendable {
    /// What happens between two reads of the clock.
    enum Pause: Equatable, Sendable {
        case work
        /// The loop slept, at most for `limit`; `wasWoken` by a descriptor, and not by time.
        case sleep(limit: Duration?, wasWoken: Bool)
    }

    /// A pause that is longer by this means that the process was stopped: otherwise no job runs this long, and no
    /// thread waits this long for a processor.
    static let absence = Duration.seconds(2)

    private var clock = Duration.zero
    private(set) var missed = Duration.zero

    /// Records that the clock shows `moment`; returns the time that counts until then.
    mutating func pass(to moment: Duration, after pause: Pause) -> Duration {
        let length = moment - clock
        clock = moment
        if Self.isAbsence(length, pause) { missed += length }
        return moment - missed
    }

    /// If a sleep was overrun, the part that was slept is unknown, so none of it counts. A sleep that ends
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
