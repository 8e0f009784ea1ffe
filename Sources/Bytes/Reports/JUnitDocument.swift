/// Results in JUnit's XML format for continuous integration: one suite of test cases.
///
/// The common subset that Jenkins, GitLab and GitHub Actions read: `testsuites`, `testsuite`, `properties`,
/// `testcase`, `failure`, `error`, `skipped`, `system-out`. All text is escaped here: names come from archives
/// and from the air and may contain anything. XML 1.0 cannot represent most control characters, so all of them
/// are written as `VisibleText` does.
public enum JUnitDocument {
    /// The outcome of a case that has not simply passed.
    public enum Ending: Sendable {
        /// The case failed: the kind of failure, the failure in one line, and further lines.
        case failure(type: String, message: String, lines: [String])
        /// The case could not be tried: the kind of error, the error in one line, and further lines.
        case error(type: String, message: String, lines: [String])
        case skipped(message: String)
    }

    public struct Case: Sendable {
        public let group: String
        /// Its name, unique in its group.
        public let name: String
        /// Its duration; nil if it was not measured.
        public let seconds: Double?
        /// Its outcome; nil if it passed.
        public let ending: Ending?
        public let output: [String]

        public init(
            group: String, name: String, seconds: Double? = nil, ending: Ending? = nil, output: [String] = []
        ) {
            (self.group, self.name, self.seconds) = (group, name, seconds)
            (self.ending, self.output) = (ending, output)
        }
    }

    /// The XML text of a document with one suite, both called `name`: its duration, when it began as ISO 8601
    /// (nil to omit it), further properties and cases in this order.
    public static func text(
        name: String, seconds: Double, began: String? = nil,
        properties: [(name: String, value: String)] = [], cases: [Case]
    ) -> String {
        var (failures, errors, skipped) = (0, 0, 0)
        for ending in cases.compactMap(\.ending) {
            switch ending {
            case .failure: failures += 1
            case .error: errors += 1
            case .skipped: skipped += 1
            }
        }
        let head = attributes([
            ("name", name), ("tests", "\(cases.count)"), ("failures", "\(failures)"),
            ("errors", "\(errors)"), ("time", time(seconds)),
        ])
        let more = attributes([("skipped", "\(skipped)"), ("timestamp", began)])
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites\(head)>", "  <testsuite\(head)\(more)>",
        ]
        if !properties.isEmpty {
            lines.append("    <properties>")
            lines += properties.map { "      <property\(attributes([("name", $0), ("value", $1)]))/>" }
            lines.append("    </properties>")
        }
        for one in cases { lines += one.lines }
        lines += ["  </testsuite>", "</testsuites>"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The attributes that have a value, each after a space, escaped.
    fileprivate static func attributes(_ all: [(name: String, value: String?)]) -> String {
        all.compactMap { name, value in value.map { " \(name)=\"\(MarkupText.escaped($0))\"" } }.joined()
    }

    fileprivate static func time(_ seconds: Double) -> String {
        let milliseconds = Int((max(0, seconds) * 1000).rounded())
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}

extension JUnitDocument.Case {
    fileprivate var lines: [String] {
        let time = seconds.map(JUnitDocument.time)
        let named = JUnitDocument.attributes([("classname", group), ("name", name), ("time", time)])
        let head = "<testcase\(named)"
        var body = ending.map { ["      \($0.element)"] } ?? []
        if !output.isEmpty { body.append("      <system-out>\(Self.content(output))</system-out>") }
        return body.isEmpty ? ["    \(head)/>"] : ["    \(head)>"] + body + ["    </testcase>"]
    }

    fileprivate static func content(_ lines: [String]) -> String {
        lines.map(MarkupText.escaped).joined(separator: "&#10;")
    }
}

extension JUnitDocument.Ending {
    fileprivate var element: String {
        switch self {
        case .failure(let type, let message, let lines): Self.element("failure", type, message, lines)
        case .error(let type, let message, let lines): Self.element("error", type, message, lines)
        case .skipped(let message): "<skipped\(JUnitDocument.attributes([("message", message)]))/>"
        }
    }

    private static func element(_ name: String, _ type: String, _ message: String, _ lines: [String])
        -> String
    {
        "<\(name)\(JUnitDocument.attributes([("type", type), ("message", message)]))>"
            + JUnitDocument.Case.content(lines) + "</\(name)>"
    }
}
