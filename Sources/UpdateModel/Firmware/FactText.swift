import FoundationEssentials

/// A text for people, with parts marked as good or bad news.
public struct FactText: Hashable, Sendable {
    public enum Tone: Hashable, Sendable {
        case plain
        /// The fact is as it should be.
        case good
        /// The fact is not necessarily wrong, but worth checking.
        case doubtful
        case bad
    }

    public struct Run: Hashable, Sendable {
        public let words: String
        public let tone: Tone
    }

    public private(set) var runs: [Run]

    public init(_ words: String, _ tone: Tone = .plain) { runs = [Run(words: words, tone: tone)] }

    public static func + (left: FactText, right: FactText) -> FactText {
        var text = left
        text.runs += right.runs
        return text
    }
}

extension FactText: ExpressibleByStringInterpolation {
    public init(stringLiteral words: String) { self.init(words) }
}

/// The value of a fact about a file, for machines.
public enum Fact: Hashable, Sendable {
    /// Unknown, or not present.
    case absent
    case flag(Bool)
    case integer(Int)
    /// A number, shown with at most three decimals.
    case number(Double)
    case text(String)
    case list([Fact])
    case record([String: Fact])

    public static func optional(_ text: String?) -> Fact { text.map(Fact.text) ?? .absent }
    public static func optional(_ flag: Bool?) -> Fact { flag.map(Fact.flag) ?? .absent }
    public static func optional(_ number: (some BinaryInteger)?) -> Fact {
        number.map { .integer(Int($0)) } ?? .absent
    }
}

/// Seconds since 1970 as text.
public enum UnixTime {
    /// The time that is `seconds` after the beginning of 1970 in UTC, in ISO 8601.
    public static func text(_ seconds: UInt32) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}

/// The content of a file, for people and for machines.
public struct FileInspection: Hashable, Sendable {
    public struct Row: Hashable, Sendable {
        /// The label, at most 15 characters; empty if the row continues the one above.
        public let name: String
        public let value: FactText

        public init(_ name: String, _ value: FactText) { (self.name, self.value) = (name, value) }
    }

    public struct Section: Hashable, Sendable {
        /// The part of the file that the rows describe; nil in files of one part.
        public let heading: String?
        public let rows: [Row]

        public init(_ heading: String? = nil, _ rows: [Row]) { (self.heading, self.rows) = (heading, rows) }
    }

    /// The name of the kind of file, for sentences.
    public let title: String
    /// A line before the content; nil for most files.
    public let remark: String?
    /// The members of `inspect --json`, without those that every file has.
    public let facts: [String: Fact]
    public let sections: [Section]
    public let endnotes: [String]

    public init(
        _ title: String, remark: String? = nil, facts: [String: Fact], sections: [Section],
        endnotes: [String] = []
    ) {
        (self.title, self.remark, self.facts) = (title, remark, facts)
        (self.sections, self.endnotes) = (sections, endnotes)
    }
}
