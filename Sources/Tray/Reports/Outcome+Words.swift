extension Outcome {
    /// The outcome in words.
    var words: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .error: "bench error"
        case .notNeeded: "not needed"
        case .skipped: "skipped"
        case .aborted: "aborted"
        case .unknown: "unknown"
        }
    }
}

/// A unit's status in a report: its outcome, or open.
struct UnitStatus: Hashable, Sendable {
    /// The outcome; nil if the unit has not ended.
    let outcome: Outcome?

    /// All, the worst first.
    static let all = [.failed, .unknown, .error, nil, .aborted, .skipped, .notNeeded, .passed].map(
        UnitStatus.init)

    init(_ outcome: Outcome?) { self.outcome = outcome }

    /// One letter.
    var letter: String { outcome.map { String($0.letter) } ?? "O" }
    /// The status in words.
    var words: String { outcome?.words ?? "open" }
    /// A number of units with the status, in words.
    func count(_ count: Int) -> String {
        "\(count) \(words)" + (outcome == .error && count != 1 ? "s" : "")
    }
    /// The name in the style and the script.
    var name: String { outcome?.rawValue ?? "open" }
    /// Its position in `all`, the worst first.
    var rank: Int { Self.all.firstIndex(of: self) ?? 0 }
    /// Whether the unit is on the right firmware.
    var isGood: Bool { outcome?.isGood ?? false }
}
