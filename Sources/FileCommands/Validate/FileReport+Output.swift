import Bytes
import CommandKit
import Firmware
import UpdateModel

extension FileReport {
    /// The object of `validate --format json`.
    func line(isStrict: Bool) -> JSONLine {
        JSONLine("validated").adding([
            "file": .text(path), "bytes": .optional(bytes), "sha256": .optional(sha256),
            "kind": .optional(kind), "passed": .bool(isPassed(isStrict: isStrict)),
            "findings": .list(findings.map(\.json)), "target": verdict?.json ?? .null,
        ])
    }

    /// The file with its verdict, then its findings.
    func lines(_ console: Console, isStrict: Bool) -> [TerminalText] {
        let end =
            isPassed(isStrict: isStrict) ? console.paint("passed", .green) : console.paint("failed", .red)
        var lines: [TerminalText] = ["\(console.paint(path, .bold)): \(kind.map { "\($0), " } ?? "")\(end)"]
        for finding in findings {
            lines.append("  \(finding.level.painted(console)) \(finding.id): \(finding)")
            if finding.level == .error { lines.append("    next: \(finding.code.nextStep.withOptions)") }
        }
        if let verdict, !findings.contains(where: \.isAboutTarget) {
            let colour: TerminalText.Colour = verdict == .accepted ? .green : .red
            lines.append("  target: \(console.paint("\(verdict)", colour))")
        }
        return lines
    }
}

extension Finding {
    fileprivate var json: JSONValue {
        .object([
            "id": .text(id), "level": .text(level.rawValue), "category": .text(category.rawValue),
            "entry": .optional(place.entry), "offset": .optional(place.offset),
            "field": .optional(place.field), "message": .text(message),
            "next_step": .text(code.nextStep.withOptions),
        ])
    }
}

extension FileVerdict {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = ["verdict": .text(word)]
        switch self {
        case .accepted: break
        case .refused(let id, let code, let cause):
            members["rule"] = .text(id.rawValue)
            members["device_code"] = .optional(code)
            members["cause"] = .text(cause)
        case .undecided(let keys): members["missing"] = .list(keys.map(JSONValue.text))
        }
        return .object(members)
    }
}

extension ReportCounts {
    func text(skipped: Int) -> String {
        let found = [FindingLevel.error, .warning, .note]
            .map { Quantities.count(count(of: $0), $0.rawValue) }.joined(separator: ", ")
        let rest = skipped > 0 ? "; \(skipped) skipped, not firmware" : ""
        return "\(Quantities.count(files, "file")): \(passed) passed, \(failed) failed (\(found))\(rest)"
    }

    func line(skipped: Int, seconds: Double) -> JSONLine {
        JSONLine("summary").adding([
            "files": .integer(files), "passed": .integer(passed), "failed": .integer(failed),
            "skipped": .integer(skipped), "errors": .integer(count(of: .error)),
            "warnings": .integer(count(of: .warning)), "notes": .integer(count(of: .note)),
            "seconds": .rounded(seconds),
        ])
    }
}
