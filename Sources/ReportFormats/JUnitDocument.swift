import ByteCoding

/// Results as JUnit's XML, which continuous integration reads: one suite of test cases.
///
/// The common subset of the readers of Jenkins, GitLab and GitHub Actions: `testsuites`, `testsuite`, `properties`,
/// `testcase`, `failure`, `error`, `skipped`, `system-out`. Whatever is put in is escaped here.
public struct JUnitDocument: Sendable {
    /// How a case has ended that has not simply passed.
    public enum Ending: Sendable {
        /// It failed: the kind of failure, the failure in a line, and what else there is to say.
        case failure(type: String, message: String, lines: [String])
        /// It could not be tried: the same.
        case error(type: String, message: String, lines: [String])
        /// It was left out, and why.
        case skipped(message: String)
    }

    /// One test case.
    public struct Case: Sendable {
        /// What it belongs to.
        public let group: String
        /// Its name, once in a group.
        public let name: String
        /// How long it took; nil where that was not measured.
        public let seconds: Double?
        /// How it ended; nil where it passed.
        public let ending: Ending?
        /// What is to be known beside that.
        public let output: [String]

        /// A case as described.
        public init(
            group: String, name: String, seconds: Double? = nil, ending: Ending? = nil, output: [String] = []
        ) {
            self.group = group
            self.name = name
            self.seconds = seconds
            self.ending = ending
            self.output = output
        }
    }

    /// The name of the whole and of its suite.
    public let name: String
    /// How long everything took.
    public let seconds: Double
    /// When it began, as ISO 8601; nil where that is not to be said.
    public let began: String?
    /// What else is known of the whole, in this order.
    public let properties: [(name: String, value: String)]
    /// In this order.
    public let cases: [Case]

    /// A document of `cases`.
    public init(
        name: String, seconds: Double, began: String? = nil,
        properties: [(name: String, value: String)] = [], cases: [Case]
    ) {
        self.name = name
        self.seconds = seconds
        self.began = began
        self.properties = properties
        self.cases = cases
    }

    /// The document.
    public var text: String {
        var (failures, errors, skipped) = (0, 0, 0)
        for ending in cases.compactMap(\.ending) {
            switch ending {
            case .failure: failures += 1
            case .error: errors += 1
            case .skipped: skipped += 1
            }
        }
        let head =
            "name=\"\(Self.escaped(name))\" tests=\"\(cases.count)\" failures=\"\(failures)\" "
            + "errors=\"\(errors)\" time=\"\(Self.time(seconds))\""
        let timestamp = began.map { " timestamp=\"\(Self.escaped($0))\"" } ?? ""
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            "<testsuites \(head)>",
            "  <testsuite \(head) skipped=\"\(skipped)\"\(timestamp)>",
        ]
        if !properties.isEmpty {
            lines.append("    <properties>")
            lines += properties.map { name, value in
                "      <property name=\"\(Self.escaped(name))\" value=\"\(Self.escaped(value))\"/>"
            }
            lines.append("    </properties>")
        }
        for one in cases { lines += one.lines }
        lines += ["  </testsuite>", "</testsuites>"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Names come from archives and from the air and may hold anything; XML 1.0 has no way to write most control characters,
    /// so that all of them are written as `VisibleText` has them.
    fileprivate static func escaped(_ text: String) -> String { MarkupText.escaped(text) }

    fileprivate static func time(_ seconds: Double) -> String {
        let milliseconds = Int((max(0, seconds) * 1000).rounded())
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}

extension JUnitDocument.Case {
    fileprivate var lines: [String] {
        let time = seconds.map { " time=\"\(JUnitDocument.time($0))\"" } ?? ""
        let head =
            "<testcase classname=\"\(JUnitDocument.escaped(group))\" name=\"\(JUnitDocument.escaped(name))\"\(time)"
        var body = ending.map { ["      \($0.element)"] } ?? []
        if !output.isEmpty { body.append("      <system-out>\(Self.content(output))</system-out>") }
        return body.isEmpty ? ["    \(head)/>"] : ["    \(head)>"] + body + ["    </testcase>"]
    }

    fileprivate static func content(_ lines: [String]) -> String {
        lines.map(JUnitDocument.escaped).joined(separator: "&#10;")
    }
}

extension JUnitDocument.Ending {
    fileprivate var element: String {
        switch self {
        case .failure(let type, let message, let lines): Self.element("failure", type, message, lines)
        case .error(let type, let message, let lines): Self.element("error", type, message, lines)
        case .skipped(let message): "<skipped message=\"\(JUnitDocument.escaped(message))\"/>"
        }
    }

    private static func element(_ name: String, _ type: String, _ message: String, _ lines: [String])
        -> String
    {
        "<\(name) type=\"\(JUnitDocument.escaped(type))\" message=\"\(JUnitDocument.escaped(message))\">"
            + JUnitDocument.Case.content(lines) + "</\(name)>"
    }
}
