import Bytes
import UpdateModel

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
