import Bluetooth
import UpdateModel

/// The state of a transfer, from an update's events: its average pace, and how long nothing has arrived.
struct TransferState: Sendable {
    /// A shorter silence is normal: a flash page takes up to 2 s if it is erased first.
    private static let normalSilence = Duration.seconds(3)
    /// The shortest time over which the pace is measured for an estimate of the rest.
    private static let shortestPaceTime = Duration.seconds(2)

    /// How many links may fail in a row.
    let attempts: Int
    private(set) var phase: UpdatePhase?
    private(set) var total = 0
    private(set) var latest: (moment: Duration, sent: Int)?
    private var first: (moment: Duration, sent: Int)?
    /// When something last arrived.
    private var lastArrival = Duration.zero
    /// The program expected after the restart.
    private(set) var awaited: Awaited

    init(attempts: Int, awaiting awaited: Awaited = Awaited()) {
        (self.attempts, self.awaited) = (attempts, awaited)
    }

    mutating func note(_ event: UpdateEvent, at moment: Duration) {
        awaited.note(event)
        switch event {
        case .phase(let phase):
            self.phase = phase
            lastArrival = moment
        case .connected, .resumed, .retry: (lastArrival, first) = (moment, nil)
        case .progress(let sent, let total, _):
            if latest?.sent != sent { lastArrival = moment }
            if first.map({ sent < $0.sent }) ?? true { first = (moment, sent) }
            (latest, self.total) = ((moment, sent), total)
        default: break
        }
    }

    var isComplete: Bool { latest.map { $0.sent == total } ?? false }

    /// The seconds that the rest will take, at the pace since the link began; nil while that is not known.
    func secondsLeft(at moment: Duration) -> Double? {
        guard let first, let latest, moment - first.moment >= Self.shortestPaceTime, latest.sent > first.sent
        else {
            return nil
        }
        let pace = Double(latest.sent - first.sent) / ((moment - first.moment) / .seconds(1))
        return Double(total - latest.sent) / pace
    }

    /// How long nothing has arrived; nil while the silence is normal.
    func silence(at moment: Duration) -> Duration? {
        waited(at: moment) >= Self.normalSilence ? waited(at: moment) : nil
    }

    func waited(at moment: Duration) -> Duration { moment - lastArrival }

    /// The silence of a transfer in words, with the time after which the link is dropped.
    func silenceText(_ silence: Duration) -> String {
        let limit = ATTClient.transactionLimit
        let seconds = Int(silence / .seconds(1))
        return "no answer for \(seconds) s" + (silence < limit ? " of \(Int(limit / .seconds(1)))" : "")
    }
}
