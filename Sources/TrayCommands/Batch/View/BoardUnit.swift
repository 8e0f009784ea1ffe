import CommandKit
import Tray
import UpdateModel

/// A unit in the live view: its record, and the progress of its attempt.
struct BoardUnit: Sendable {
    /// The unit's status, the worst first.
    enum UnitStatus: Int, CaseIterable, Sendable {
        case failed, unknown, error, stalled, running, waiting, aborted, skipped, notNeeded, passed

        /// The status for people.
        var words: String {
            switch self {
            case .failed: "failed"
            case .unknown: "unknown"
            case .error: "error"
            case .stalled: "stalled"
            case .running: "running"
            case .waiting: "waiting"
            case .aborted: "aborted"
            case .skipped: "skipped"
            case .notNeeded: "not needed"
            case .passed: "passed"
            }
        }

        /// A `count` with the status; `more` if others have rows of their own.
        func words(_ count: Int, more: Bool = false) -> String {
            "\(count) \(more ? "more " : "")\(words)" + (self == .error && count != 1 ? "s" : "")
        }

        /// One letter; that of the outcome if there is one.
        var letter: String {
            switch self {
            case .failed: "F"
            case .unknown: "U"
            case .error: "E"
            case .stalled: "!"
            case .running: "R"
            case .waiting: "."
            case .aborted: "A"
            case .skipped: "S"
            case .notNeeded: "N"
            case .passed: "P"
            }
        }

        var colour: TerminalText.Colour? {
            switch self {
            case .failed: .red
            case .unknown, .error, .stalled, .aborted: .yellow
            case .passed, .notNeeded: .green
            case .waiting, .skipped: .dim
            case .running: nil
            }
        }

        /// Whether as many units with this status as fit have lines of their own; others do only if all of them fit.
        var isWorthALine: Bool { rawValue <= UnitStatus.running.rawValue }

        init(_ outcome: Outcome) {
            self =
                switch outcome {
                case .passed: .passed
                case .failed: .failed
                case .error: .error
                case .notNeeded: .notNeeded
                case .skipped: .skipped
                case .aborted: .aborted
                case .unknown: .unknown
                }
        }
    }

    /// The unit's record.
    var record: UnitRecord
    /// The running attempt.
    var attempt: AttemptRecord?
    /// When the attempt began.
    var began = Duration.zero
    /// The phase of the attempt.
    var phase: UpdatePhase?
    /// The bytes sent.
    var sent = 0
    /// The bytes to send; 0 while not known.
    var total = 0
    /// The speed over the last second.
    var bytesPerSecond = 0.0
    /// Since when there is no progress; nil while there is.
    var stalled: Duration?
    /// When the attempt last made progress.
    var news = Duration.zero

    init(_ record: UnitRecord) { self.record = record }

    var status: UnitStatus {
        if attempt != nil { return stalled == nil ? .running : .stalled }
        return record.verdict.map { UnitStatus($0.outcome) } ?? .waiting
    }

    /// The share that was sent, from 0 to 1; nil while there is nothing to send.
    var share: Double? { total > 0 ? min(1, Double(sent) / Double(total)) : nil }

    /// The address without its type, else the tray's selector.
    var who: String {
        (record.address ?? record.device).map { String($0.prefix { $0 != "/" }) } ?? "not heard yet"
    }

    /// The text that filters match, in lower case.
    var words: String {
        [
            record.slot, record.address, record.device, record.identifier, record.name, record.vendor,
            record.model,
            status.words, record.verdict?.code, attempt?.adapter, phase?.rawValue,
        ].compactMap(\.self).joined(separator: " ").lowercased()
    }
}

extension BoardUnit {
    /// The unit's beacon was found.
    mutating func found(_ record: UnitRecord) { self.record = record }

    /// An attempt begins at `moment`.
    mutating func began(_ attempt: AttemptRecord, at moment: Duration) {
        self.attempt = attempt
        (began, news, stalled) = (moment, moment, nil)
        (phase, sent, bytesPerSecond) = (nil, 0, 0)
        total = attempt.firmware?.bytes ?? 0
        record.verdict = nil
    }

    /// The unit's firmware was chosen.
    mutating func planned(_ attempt: AttemptRecord) {
        self.attempt = attempt
        total = attempt.firmware?.bytes ?? total
    }

    /// Records an event of the attempt.
    mutating func note(_ event: UpdateEvent, at moment: Duration) {
        switch event {
        case .phase(let phase):
            self.phase = phase
            if phase != .transferring { bytesPerSecond = 0 }
        case .progress(let sent, let total, let rate):
            guard sent != self.sent || total != self.total else { return }
            (self.sent, self.total, bytesPerSecond) = (sent, total, rate)
        case .disconnected: bytesPerSecond = 0
        case .connected, .resumed, .retry, .part: break
        default: return
        }
        (news, stalled) = (moment, nil)
    }

    /// The attempt makes no progress.
    mutating func stall() {
        stalled = news
        bytesPerSecond = 0
    }

    /// The attempt has ended.
    mutating func ended(_ attempt: AttemptRecord) {
        self.attempt = nil
        (phase, bytesPerSecond, stalled) = (nil, 0, nil)
        record.attempts.append(attempt)
    }
}
