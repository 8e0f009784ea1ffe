import Tray
import UpdateCore

/// A unit as a live view has it: who it is, and what is being done to it.
struct BoardUnit: Sendable {
    /// How the unit stands, the worst first.
    enum UnitStatus: Int, CaseIterable, Sendable {
        case failed, unknown, error, stalled, running, waiting, aborted, skipped, notNeeded, passed

        /// For people.
        var words: String {
            switch self {
            case .failed: "failed"
            case .unknown: "unknown"
            case .error: "error"
            case .stalled: "stalled"
            case .running: "at work"
            case .waiting: "waiting"
            case .aborted: "aborted"
            case .skipped: "skipped"
            case .notNeeded: "not needed"
            case .passed: "passed"
            }
        }

        /// So many of them, `more` beside others.
        func words(_ count: Int, more: Bool = false) -> String {
            "\(count) \(more ? "more " : "")\(words)" + (self == .error && count != 1 ? "s" : "")
        }

        /// One letter, the outcome's where there is one.
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

        /// Whether a unit that stands so needs a line of its own, however many there are.
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

    /// What is known of it.
    var record: UnitRecord
    /// The attempt that is under way.
    var attempt: AttemptRecord?
    /// When that began.
    var began = Duration.zero
    /// What it is at.
    var phase: UpdatePhase?
    /// How much of the firmware has been sent.
    var sent = 0
    /// How much there is to send; 0 while that is not known.
    var total = 0
    /// Over the last second.
    var bytesPerSecond = 0.0
    /// Since when nothing has come of it; nil while something does.
    var stalled: Duration?
    /// When something was last heard of the attempt.
    var news = Duration.zero

    init(_ record: UnitRecord) { self.record = record }

    var standing: UnitStatus {
        if attempt != nil { return stalled == nil ? .running : .stalled }
        return record.verdict.map { UnitStatus($0.outcome) } ?? .waiting
    }

    /// From 0 to 1; nil while nothing is to be sent.
    var share: Double? { total > 0 ? min(1, Double(sent) / Double(total)) : nil }

    /// Its address without its kind, else what the tray says.
    var who: String {
        (record.address ?? record.device).map { String($0.prefix { $0 != "/" }) } ?? "not heard yet"
    }

    /// What a filter looks into.
    var words: String {
        [
            record.slot, record.address, record.device, record.identifier, record.name, record.vendor,
            record.model,
            standing.words, record.verdict?.code, attempt?.adapter, phase?.rawValue,
        ].compactMap(\.self).joined(separator: " ").lowercased()
    }
}

extension BoardUnit {
    /// It is known who it is.
    mutating func found(_ record: UnitRecord) { self.record = record }

    /// An attempt begins at `moment`.
    mutating func began(_ attempt: AttemptRecord, at moment: Duration) {
        self.attempt = attempt
        (began, news, stalled) = (moment, moment, nil)
        (phase, sent, bytesPerSecond) = (nil, 0, 0)
        total = attempt.firmware?.bytes ?? 0
        record.verdict = nil
    }

    /// What it gets is known.
    mutating func planned(_ attempt: AttemptRecord) {
        self.attempt = attempt
        total = attempt.firmware?.bytes ?? total
    }

    /// Something happens in the attempt.
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

    /// It makes no progress.
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
