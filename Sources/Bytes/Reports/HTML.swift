/// A fragment of an HTML page, or of an SVG picture in it, composed only of literal elements and escaped text.
///
/// All text, as content or as an attribute's value, is escaped here, with invisible characters written out.
/// Names of elements and attributes, and code, are literals of the source. So foreign text stays text.
public struct HTML: Sendable {
    /// The markup.
    private(set) var markup: String

    /// `text`, escaped.
    public init(_ text: String) { markup = MarkupText.escaped(text) }

    fileprivate init(markup: String) { self.markup = markup }

    /// An empty fragment.
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

        /// The CSS classes `names`.
        public static func `class`(_ names: StaticString) -> Attribute { Attribute("class", "\(names)") }
    }

    /// The element `name` with `content`. An element without content is closed as in SVG.
    public static func element(
        _ name: StaticString, _ attributes: [Attribute] = [], _ content: [HTML] = []
    ) -> HTML {
        let head = "<\(name)" + attributes.map(\.markup).joined()
        return HTML(markup: head + ">" + content.map(\.markup).joined() + "</\(name)>")
    }

    /// The element `name`, which is always empty: `br`, `meta`, `rect`.
    public static func single(_ name: StaticString, _ attributes: [Attribute] = []) -> HTML {
        HTML(markup: "<\(name)" + attributes.map(\.markup).joined() + "/>")
    }

    /// Foreign `text`, which keeps its own direction of writing.
    public static func foreign(_ text: String) -> HTML { .element("bdi", [], [HTML(text)]) }

    /// The fragments one after another.
    public static func all(_ pieces: [HTML]) -> HTML { HTML(markup: pieces.map(\.markup).joined()) }

    /// One fragment after another.
    public static func + (left: HTML, right: HTML) -> HTML { HTML(markup: left.markup + right.markup) }
}

extension HTML: ExpressibleByStringInterpolation {
    /// Concatenates texts and fragments; texts are escaped.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var markup = ""

        /// Creates it empty.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends a literal text.
        public mutating func appendLiteral(_ literal: String) { markup += MarkupText.escaped(literal) }
        /// Appends a fragment unchanged.
        public mutating func appendInterpolation(_ piece: HTML) { markup += piece.markup }
        /// Appends a text.
        public mutating func appendInterpolation(_ text: some Any) {
            markup += MarkupText.escaped(String(describing: text))
        }
    }

    /// The text of a literal.
    public init(stringLiteral text: String) { self.init(text) }
    /// The concatenated fragment.
    public init(stringInterpolation: StringInterpolation) { markup = stringInterpolation.markup }
}
