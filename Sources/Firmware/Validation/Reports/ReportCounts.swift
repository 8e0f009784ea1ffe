package import UpdateModel

package struct ReportCounts: Hashable, Sendable {
    package private(set) var passed = 0
    /// Files that must not be released.
    package private(set) var failed = 0
    /// Files among the failed ones that could not be read at all.
    package private(set) var unreadable = 0
    private var counts: [FindingLevel: Int] = [:]

    package init() {}

    /// Counts a report; with `isStrict` a file with a warning fails too.
    package mutating func count(_ report: FileReport, isStrict: Bool = false) {
        if report.isPassed(isStrict: isStrict) { passed += 1 } else { failed += 1 }
        if report.isUnreadable { unreadable += 1 }
        for finding in report.findings { counts[finding.level, default: 0] += 1 }
    }

    package var files: Int { passed + failed }
    package func count(of level: FindingLevel) -> Int { counts[level] ?? 0 }
}

extension FileReport {
    /// Whether the file may be released; with `isStrict`, warnings prevent it too.
    package func isPassed(isStrict: Bool) -> Bool {
        isPassed && !(isStrict && findings.contains { $0.level == .warning })
    }
}
