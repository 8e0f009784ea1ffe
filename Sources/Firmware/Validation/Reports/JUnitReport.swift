import Bytes
package import UpdateModel

/// Reports in JUnit's XML format for continuous integration: each file is a test case.
package enum JUnitReport {
    /// The whole document; `seconds` is the duration of the run.
    package static func text(_ reports: [FileReport], isStrict: Bool = false, seconds: Double) -> String {
        JUnitDocument.text(
            name: "beacon-dfu validate", seconds: seconds, cases: reports.map { testCase($0, isStrict) })
    }

    private static func testCase(_ report: FileReport, _ isStrict: Bool) -> JUnitDocument.Case {
        let isStop = { (finding: Finding) in
            finding.level == .error || (isStrict && finding.level == .warning)
        }
        let stops = report.findings.filter(isStop)
        let ending = stops.first.map { first -> JUnitDocument.Ending in
            report.isUnreadable
                ? .error(type: first.id, message: "\(first)", lines: lines(stops))
                : .failure(type: first.id, message: "\(first)", lines: lines(stops))
        }
        return JUnitDocument.Case(
            group: report.kind ?? "unknown", name: report.path, seconds: report.seconds, ending: ending,
            output: lines(report.findings.filter { !isStop($0) }))
    }

    private static func lines(_ findings: [Finding]) -> [String] {
        findings.map { "\($0.level.rawValue) \($0.id): \($0)" }
    }
}

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

/// Findings as workflow commands of GitHub Actions, which shows them next to the change.
///
/// `::error file=PATH,line=1,title=RULE::TEXT`, where `%`, CR and LF are escaped, and in the values before the text
/// also `:` and `,` (actions/toolkit, command.ts).
package enum GitHubReport {
    /// A line for each finding of a file; `folder` is the repository's folder on the runner.
    package static func lines(_ report: FileReport, isStrict: Bool = false, in folder: String) -> [String] {
        let file = property(PathText.shown(ReportPath(report.path, in: folder).text))
        return report.findings.map { finding in
            let isStop = finding.level == .error || (isStrict && finding.level == .warning)
            let command = isStop ? "error" : finding.level == .warning ? "warning" : "notice"
            return
                "::\(command) file=\(file),line=1,title=\(property(finding.id))::\(data(PathText.shown("\(finding)")))"
        }
    }

    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
