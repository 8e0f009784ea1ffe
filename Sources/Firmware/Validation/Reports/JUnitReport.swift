import Bytes
import UpdateModel

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
