public import UpdateModel

/// The totals of a run of the gate.
public struct Summary: Hashable, Sendable {
    /// Files that may be released.
    public private(set) var passed = 0
    /// Files that must not be released.
    public private(set) var failed = 0
    /// Files among the failed ones that could not be read at all.
    public private(set) var unreadable = 0
    private var counts: [FindingLevel: Int] = [:]

    /// Empty totals.
    public init() {}

    /// Counts a report; with `isStrict` a file with a warning fails too.
    public mutating func count(_ report: FileReport, isStrict: Bool = false) {
        if report.isPassed(isStrict: isStrict) { passed += 1 } else { failed += 1 }
        if report.isUnreadable { unreadable += 1 }
        for finding in report.findings { counts[finding.level, default: 0] += 1 }
    }

    /// Files that were checked.
    public var files: Int { passed + failed }
    /// The number of findings of a level.
    public func count(of level: FindingLevel) -> Int { counts[level] ?? 0 }
}

extension FileReport {
    /// Whether the file may be released; with `isStrict`, warnings prevent it too.
    public func isPassed(isStrict: Bool) -> Bool {
        isPassed && !(isStrict && findings.contains { $0.level == .warning })
    }
}
