/// A text for people, with runs of words marked as good or bad news.
public struct FactText: Hashable, Sendable {
    /// What a run of words means to a reader.
    public enum Tone: Hashable, Sendable {
        case plain
        /// As it should be.
        case good
        /// Not necessarily wrong, and worth a second look.
        case doubtful
        /// Wrong.
        case bad
    }

    /// Words of one tone.
    public struct Run: Hashable, Sendable {
        /// The words.
        public let words: String
        /// What they mean.
        public let tone: Tone
    }

    /// The runs in their order.
    public private(set) var runs: [Run]

    /// Words of one tone.
    public init(_ words: String, _ tone: Tone = .plain) { runs = [Run(words: words, tone: tone)] }

    /// The runs of both.
    public static func + (left: FactText, right: FactText) -> FactText {
        var text = left
        text.runs += right.runs
        return text
    }
}

extension FactText: ExpressibleByStringInterpolation {
    /// Plain words.
    public init(stringLiteral words: String) { self.init(words) }
}
