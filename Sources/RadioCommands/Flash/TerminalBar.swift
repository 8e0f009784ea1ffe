import Bluetooth
import CommandKit
import UpdateModel

/// Events for a terminal: one steady bar with speed and time left, and a line for each unusual event.
struct TerminalBar: ProgressRenderer {
    /// The possible widths of the bar's track, in cells.
    private static let trackWidths = 8...40
    private let columns: @Sendable () -> Int
    private var transfer: TransferState
    private var rate = 0.0

    init(
        _ transfer: TransferState,
        columns: @escaping @Sendable () -> Int = { TerminalSize.current.columns }
    ) { (self.transfer, self.columns) = (transfer, columns) }

    mutating func render(_ event: UpdateEvent, at moment: Duration) -> [Rendering] {
        let isLast = transfer.phase == .transferring && transfer.isWhole
        transfer.note(event, at: moment)
        switch event {
        case .progress(_, _, let rate):
            self.rate = rate
            return [.bar(bar(pace(at: moment)))]
        case .phase(let phase):
            // The full bar stays on the screen once the transfer is over.
            let whole: [Rendering] = isLast && phase != .transferring ? [.line(bar(nil))] : []
            let name = EventText.line(of: event, transfer) ?? ""
            return switch phase {
            case .connecting, .preparing, .transferring, .verifying: whole + [.bar(name)]
            case .enteringBootloader, .activating, .rebooting: whole + [.line(name), .bar("")]
            }
        default: return EventText.lines(of: event, transfer).map { .line($0) }
        }
    }

    mutating func tick(at moment: Duration) -> [Rendering] {
        guard let phase = transfer.phase else { return [] }
        guard phase == .transferring, transfer.latest != nil, !transfer.isWhole else {
            let seconds = Int(transfer.waited(at: moment) / .seconds(1))
            return seconds > 0 ? [.bar("\(EventText.name(of: phase, transfer)), \(seconds) s")] : []
        }
        guard let silence = transfer.silence(at: moment) else { return [] }
        return [.bar(bar(transfer.silenceText(silence)))]
    }

    private func pace(at moment: Duration) -> String {
        let left = transfer.secondsLeft(at: moment).map { "  ETA " + Quantities.countdown($0) } ?? ""
        return Quantities.speed(rate) + left
    }

    /// The bar with `more` at its end, as wide as the terminal allows.
    private func bar(_ more: String?) -> String {
        let sent = transfer.latest?.sent ?? 0
        let share = transfer.total > 0 ? Double(sent) / Double(transfer.total) : 1
        let percent = String(Int(share * 100))
        let text =
            String(repeating: " ", count: 3 - percent.count) + percent + " %  "
            + Quantities.part(sent, of: transfer.total) + (more.map { "  " + $0 } ?? "")
        // The longest text decides, so that the track keeps its width.
        let longest =
            "100 %  " + Quantities.part(transfer.total, of: transfer.total) + "  no answer for 30 s of 30"
        let room = min(columns() - 1 - longest.count - 3, Self.trackWidths.upperBound)
        guard room >= Self.trackWidths.lowerBound else { return text }
        let filled = Int(share * Double(room))
        let track = String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled)
        return "[\(track)] \(text)"
    }
}

/// The state of a transfer, from an update's events: its speed as a whole, and how long nothing has arrived.
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
    private var news = Duration.zero
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
            news = moment
        case .connected, .resumed, .retry: (news, first) = (moment, nil)
        case .progress(let sent, let total, _):
            if latest?.sent != sent { news = moment }
            if first.map({ sent < $0.sent }) ?? true { first = (moment, sent) }
            (latest, self.total) = ((moment, sent), total)
        default: break
        }
    }

    var isWhole: Bool { latest.map { $0.sent == total } ?? false }

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

    func waited(at moment: Duration) -> Duration { moment - news }

    /// The silence of a transfer in words, with the time after which the link is dropped.
    func silenceText(_ silence: Duration) -> String {
        let limit = ATTClient.transactionLimit
        let seconds = Int(silence / .seconds(1))
        return "no answer for \(seconds) s" + (silence < limit ? " of \(Int(limit / .seconds(1)))" : "")
    }
}
