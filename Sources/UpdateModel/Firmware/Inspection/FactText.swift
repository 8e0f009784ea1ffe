/// A text for people, with parts marked as good or bad news.
public struct FactText: Hashable, Sendable {
    /// The meaning of a part for the reader.
    public enum Tone: Hashable, Sendable {
        case plain
        /// As it should be.
        case good
        /// Not necessarily wrong, but worth checking.
        case doubtful
        /// Wrong.
        case bad
    }

    /// A part with one tone.
    public struct Run: Hashable, Sendable {
        /// The words.
        public let words: String
        /// Their tone.
        public let tone: Tone
    }

    /// The parts in order.
    public private(set) var runs: [Run]

    /// Words of one tone.
    public init(_ words: String, _ tone: Tone = .plain) { runs = [Run(words: words, tone: tone)] }

    /// The parts of both.
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
