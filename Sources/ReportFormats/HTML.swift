/// A piece of an HTML page, or of a picture in it, that can only be put together from elements of ours and from text.
///
/// Whatever text is put in, as content or as an attribute's value, is escaped here, with the characters that nobody would see
/// written out. Names of elements and attributes, and what is code, are literals of the source. So text of others stays
/// text.
public struct HTML: Sendable {
    /// The markup.
    private(set) var markup: String

    /// `text`, as it can be seen.
    public init(_ text: String) { markup = MarkupText.escaped(text) }

    fileprivate init(markup: String) { self.markup = markup }

    /// Nothing.
    public static let none = HTML("")

    /// An attribute of an element.
    public struct Attribute: Sendable {
        fileprivate let markup: String

        /// The attribute `name` with `value`.
        public init(_ name: StaticString, _ value: String) {
            markup = " \(name)=\"\(MarkupText.escaped(value))\""
        }

        /// The attribute `name`, which needs no value.
        public init(_ name: StaticString) { markup = " \(name)" }

        /// The classes `names`, for the style.
        public static func `class`(_ names: StaticString) -> Attribute { Attribute("class", "\(names)") }
    }

    /// The element `name` with `content`. An element without content is closed as those of pictures are.
    public static func element(
        _ name: StaticString, _ attributes: [Attribute] = [], _ content: [HTML] = []
    ) -> HTML {
        let head = "<\(name)" + attributes.map(\.markup).joined()
        return HTML(markup: head + ">" + content.map(\.markup).joined() + "</\(name)>")
    }

    /// The element `name`, which never has content: `br`, `meta`, `rect`.
    public static func single(_ name: StaticString, _ attributes: [Attribute] = []) -> HTML {
        HTML(markup: "<\(name)" + attributes.map(\.markup).joined() + "/>")
    }

    /// `text` of others, whose direction of writing stays its own.
    public static func foreign(_ text: String) -> HTML { .element("bdi", [], [HTML(text)]) }

    /// The pieces one after the other.
    public static func all(_ pieces: [HTML]) -> HTML { HTML(markup: pieces.map(\.markup).joined()) }

    /// One after the other.
    public static func + (left: HTML, right: HTML) -> HTML { HTML(markup: left.markup + right.markup) }
}

extension HTML: ExpressibleByStringInterpolation {
    /// Puts texts and pieces together, the texts escaped.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var markup = ""

        /// Nothing yet.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Puts in a text of ours.
        public mutating func appendLiteral(_ literal: String) { markup += MarkupText.escaped(literal) }
        /// Puts in a piece as it is.
        public mutating func appendInterpolation(_ piece: HTML) { markup += piece.markup }
        /// Puts in a text.
        public mutating func appendInterpolation(_ text: some Any) {
            markup += MarkupText.escaped(String(describing: text))
        }
    }

    /// The text of a literal.
    public init(stringLiteral text: String) { self.init(text) }
    /// What was put together.
    public init(stringInterpolation: StringInterpolation) { markup = stringInterpolation.markup }
}
