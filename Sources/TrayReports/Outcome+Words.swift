import Tray

extension Outcome {
    /// For people.
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

/// How a unit stands in a report: as it has ended, or not ended.
struct UnitStatus: Hashable, Sendable {
    /// How its turn has ended; nil where it has not.
    let outcome: Outcome?

    /// All, the worst first.
    static let all = [.failed, .unknown, .error, nil, .aborted, .skipped, .notNeeded, .passed].map(
        UnitStatus.init)

    init(_ outcome: Outcome?) { self.outcome = outcome }

    /// One letter.
    var letter: String { outcome.map { String($0.letter) } ?? "O" }
    /// For people.
    var words: String { outcome?.words ?? "open" }
    /// So many of them.
    func count(_ count: Int) -> String {
        "\(count) \(words)" + (outcome == .error && count != 1 ? "s" : "")
    }
    /// For style and script.
    var name: String { outcome?.rawValue ?? "open" }
    /// Its place among all, the worst first.
    var rank: Int { Self.all.firstIndex(of: self) ?? 0 }
    /// Whether the unit is on the right firmware.
    var isGood: Bool { outcome?.isGood ?? false }
}
