import Bytes
import CommandKit
import Firmware
import UpdateModel

/// Every rule, with its configured level and the failure that it prevents.
struct RuleList {
    let rules: RuleSet

    /// A Markdown table, for a page, or a JSON object for each rule.
    func lines(_ format: ReportFormat) -> [String] {
        switch format {
        case .json: Rule.all.map { line($0).text }
        case .text, .junit, .sarif, .github:
            ["| rule | about | level | what it prevents |", "|---|---|---|---|"]
                + Rule.all.map { rule in
                    "| `\(rule.id)` | \(rule.category.rawValue) | \(level(rule)) | \(rule.prevents) |"
                }
        }
    }

    /// Two lines for each rule, for a terminal.
    var rows: [String] {
        Rule.all.flatMap { rule in
            let level = level(rule)
            let gap = String(repeating: " ", count: max(1, 9 - level.count))
            return ["\(level)\(gap)\(rule.id) (\(rule.category.rawValue))", "         \(rule.prevents)"]
        }
    }

    private func level(_ rule: Rule) -> String { rules.level(of: rule)?.rawValue ?? "off" }

    private func line(_ rule: Rule) -> JSONLine {
        JSONLine("rule").adding([
            "id": .text(rule.id), "category": .text(rule.category.rawValue), "level": .text(level(rule)),
            "prevents": .text(rule.prevents),
        ])
    }
}
