import CommandKit
import UpdateModel

/// Events as lines for a pipe or a log: progress every 10 %.
struct PlainLines: ProgressRenderer {
    /// How often a silence is reported.
    private static let reminder = Duration.seconds(10)
    private var lastTenth = 0
    private var told = Duration.zero
    private var transfer: TransferState

    /// The lines of an update in the state `transfer`.
    init(_ transfer: TransferState) { self.transfer = transfer }

    mutating func render(_ event: UpdateEvent, at moment: Duration) -> [Rendering] {
        transfer.note(event, at: moment)
        told = .zero
        switch event {
        case .progress(let sent, let total, let rate):
            let tenth = total > 0 ? sent * 10 / total : 0
            defer { lastTenth = tenth }
            guard tenth != lastTenth else { return [] }
            return [
                .line(
                    "\(total > 0 ? sent * 100 / total : 100) %, \(Quantities.bytes(sent)) of \(Quantities.bytes(total)), "
                        + Quantities.speed(rate))
            ]
        case .speed, .steadySpeed, .currentSpeed: return []
        default: return EventText.lines(of: event, transfer).map { .line($0) }
        }
    }

    mutating func tick(at moment: Duration) -> [Rendering] {
        guard transfer.phase == .transferring, let silence = transfer.silence(at: moment),
            silence - told >= Self.reminder
        else { return [] }
        told = silence
        return [.line(transfer.silenceText(silence))]
    }
}
