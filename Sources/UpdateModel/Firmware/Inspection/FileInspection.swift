/// The content of a file, for people and for machines.
public struct FileInspection: Hashable, Sendable {
    /// A name and its value.
    public struct Row: Hashable, Sendable {
        /// At most 15 characters; empty if it continues the row above.
        public let name: String
        /// The value.
        public let value: FactText

        /// `name` with its value.
        public init(_ name: String, _ value: FactText) { (self.name, self.value) = (name, value) }
    }

    /// Rows under a heading.
    public struct Section: Hashable, Sendable {
        /// The part that they describe; nil in files of one part.
        public let heading: String?
        /// The rows, in order.
        public let rows: [Row]

        /// `rows` under `heading`.
        public init(_ heading: String? = nil, _ rows: [Row]) { (self.heading, self.rows) = (heading, rows) }
    }

    /// The kind of file, in sentences.
    public let title: String
    /// A line before the content; nil for most files.
    public let remark: String?
    /// The members of `inspect --json`, without those that every file has.
    public let facts: [String: Fact]
    /// The content for people.
    public let sections: [Section]
    /// Lines at the end.
    public let endnotes: [String]

    /// The inspection of a file that is, in words, `title`.
    public init(
        _ title: String, remark: String? = nil, facts: [String: Fact], sections: [Section],
        endnotes: [String] = []
    ) {
        self.title = title
        self.remark = remark
        self.facts = facts
        self.sections = sections
        self.endnotes = endnotes
    }
}
