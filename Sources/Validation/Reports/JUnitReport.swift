import ByteCoding
import FirmwareModel

/// Reports as JUnit's XML, which continuous integration reads: a file is a test case.
///
/// The common subset of the readers of Jenkins, GitLab and GitHub Actions: `testsuites`, `testsuite`, `testcase`,
/// `failure`, `error`, `system-out`.
public enum JUnitReport {
    /// The whole document; `seconds` is the duration of the run.
    public static func text(_ reports: [FileReport], isStrict: Bool = false, seconds: Double) -> String {
        var summary = Summary()
        for report in reports { summary.count(report, isStrict: isStrict) }
        let counts =
            "tests=\"\(summary.files)\" failures=\"\(summary.failed - summary.unreadable)\" "
            + "errors=\"\(summary.unreadable)\" time=\"\(time(seconds))\""
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<testsuites name="beacon-dfu validate" \#(counts)>"#,
            #"  <testsuite name="beacon-dfu validate" \#(counts) skipped="0">"#,
        ]
        for report in reports { lines += testCase(report, isStrict) }
        lines += ["  </testsuite>", "</testsuites>"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func testCase(_ report: FileReport, _ isStrict: Bool) -> [String] {
        let head =
            #"<testcase classname="\#(escaped(report.kind ?? "unknown"))" name="\#(escaped(report.path))""#
        var body: [String] = []
        let isStop = { (finding: Finding) in
            finding.level == .error || (isStrict && finding.level == .warning)
        }
        let stops = report.findings.filter(isStop)
        if let first = stops.first {
            let element = report.isUnreadable ? "error" : "failure"
            body.append(
                #"      <\#(element) type="\#(escaped(first.id))" message="\#(escaped("\(first)"))">"#
                    + lines(stops) + "</\(element)>")
        }
        let others = report.findings.filter { !isStop($0) }
        if !others.isEmpty {
            body.append("      <system-out>\(lines(others))</system-out>")
        }
        return body.isEmpty ? ["    \(head)/>"] : ["    \(head)>"] + body + ["    </testcase>"]
    }

    private static func lines(_ findings: [Finding]) -> String {
        findings.map { escaped("\($0.level.rawValue) \($0.id): \($0)") }.joined(separator: "&#10;")
    }

    private static func time(_ seconds: Double) -> String {
        let milliseconds = Int((seconds * 1000).rounded())
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }

    /// Names come from archives and may hold anything; XML 1.0 has no way to write most control characters, so that all
    /// of them are written as `VisibleText` has them.
    private static func escaped(_ text: String) -> String {
        VisibleText.escaped(text).unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
