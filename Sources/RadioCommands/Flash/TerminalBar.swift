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
        let wasFull = transfer.phase == .transferring && transfer.isComplete
        transfer.note(event, at: moment)
        switch event {
        case .progress(_, _, let rate):
            self.rate = rate
            return [.bar(bar(pace(at: moment)))]
        case .phase(let phase):
            // The full bar stays on the screen once the transfer is over.
            let fullBar: [Rendering] = wasFull && phase != .transferring ? [.line(bar(nil))] : []
            let name = EventText.line(of: event, transfer) ?? ""
            return switch phase {
            case .connecting, .preparing, .transferring, .verifying: fullBar + [.bar(name)]
            case .enteringBootloader, .activating, .rebooting: fullBar + [.line(name), .bar("")]
            }
        default: return EventText.lines(of: event, transfer).map { .line($0) }
        }
    }

    mutating func tick(at moment: Duration) -> [Rendering] {
        guard let phase = transfer.phase else { return [] }
        guard phase == .transferring, transfer.latest != nil, !transfer.isComplete else {
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
