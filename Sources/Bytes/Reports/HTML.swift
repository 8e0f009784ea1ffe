import FoundationEssentials

/// A fragment of an HTML page, or of an SVG picture in it, composed only of literal elements and escaped text.
///
/// All text, as content or as an attribute's value, is escaped here, with invisible characters written out.
/// Names of elements and attributes, and code, are literals of the source. So foreign text stays text.
public struct HTML: Sendable {
    private(set) var markup: String

    public init(_ text: String) { markup = MarkupText.escaped(text) }

    fileprivate init(markup: String) { self.markup = markup }

    public static let none = HTML("")

    public struct Attribute: Sendable {
        fileprivate let markup: String

        public init(_ name: StaticString, _ value: String) {
            markup = " \(name)=\"\(MarkupText.escaped(value))\""
        }

        public init(_ name: StaticString) { markup = " \(name)" }

        public static func `class`(_ names: StaticString) -> Attribute { Attribute("class", "\(names)") }
    }

    /// The element `name` with `content`, with a start tag and an end tag.
    public static func element(
        _ name: StaticString, _ attributes: [Attribute] = [], _ content: [HTML] = []
    ) -> HTML {
        let head = "<\(name)" + attributes.map(\.markup).joined()
        return HTML(markup: head + ">" + content.map(\.markup).joined() + "</\(name)>")
    }

    /// The element `name`, which is always empty and has no end tag: `br`, `meta`, `rect`.
    public static func single(_ name: StaticString, _ attributes: [Attribute] = []) -> HTML {
        HTML(markup: "<\(name)" + attributes.map(\.markup).joined() + "/>")
    }

    /// Foreign `text`, which keeps its own direction of writing.
    public static func foreign(_ text: String) -> HTML { .element("bdi", [], [HTML(text)]) }

    public static func all(_ pieces: [HTML]) -> HTML { HTML(markup: pieces.map(\.markup).joined()) }

    public static func + (left: HTML, right: HTML) -> HTML { HTML(markup: left.markup + right.markup) }
}

extension HTML: ExpressibleByStringInterpolation {
    /// Concatenates texts and fragments; texts are escaped.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var markup = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { markup += MarkupText.escaped(literal) }
        public mutating func appendInterpolation(_ piece: HTML) { markup += piece.markup }
        public mutating func appendInterpolation(_ text: some Any) {
            markup += MarkupText.escaped(String(describing: text))
        }
    }

    public init(stringLiteral text: String) { self.init(text) }
    public init(stringInterpolation: StringInterpolation) { markup = stringInterpolation.markup }
}

/// Text escaped for XML and HTML, between elements and in an attribute's value.
enum MarkupText {
    /// `text` with its invisible characters written out (`VisibleText`), and references for the characters of markup.
    static func escaped(_ text: String) -> String {
        let visible = VisibleText.escaped(text)
        guard visible.utf8.contains(where: { marks.contains($0) }) else { return visible }
        return visible.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    private static let marks = Set("&<>\"'".utf8)
}

/// An HTML page in one file that loads nothing and runs only its own code.
///
/// Its Content Security Policy permits one style and one script, by their SHA-256, and nothing else: no
/// requests, no images, no forms, no code in attributes. Even text that was taken for markup could do no harm.
public enum HTMLPage {
    /// The beginning of every page of `kind`.
    public static func beginning(of kind: StaticString) -> String { "<!DOCTYPE html>\n<!-- \(kind) -->\n" }

    /// The content of the file, with the `title` of the window. Its `kind` is for programs that check the
    /// beginning of the file. The script runs once the page is loaded, and the page has to be useful without it.
    public static func text(
        title: String, kind: StaticString, style: StaticString, script: StaticString, body: [HTML]
    ) -> String {
        let policy =
            "default-src 'none'; style-src '\(hash(style))'; script-src '\(hash(script))'; "
            + "base-uri 'none'; form-action 'none'"
        let head: [HTML] = [
            .single("meta", [.init("charset", "utf-8")]),
            .single("meta", [.init("http-equiv", "Content-Security-Policy"), .init("content", policy)]),
            .single(
                "meta", [.init("name", "viewport"), .init("content", "width=device-width, initial-scale=1")]),
            .single("meta", [.init("name", "color-scheme"), .init("content", "light dark")]),
            .element("title", [], [HTML(title)]),
        ]
        return beginning(of: kind) + "<html lang=\"en\">\n<head>\n"
            + head.map(\.markup).joined(separator: "\n")
            + "\n<style>\(style)</style>\n</head>\n<body>\n" + body.map(\.markup).joined(separator: "\n")
            + "\n<script>\(script)</script>\n</body>\n</html>\n"
    }

    /// A source expression of the policy (Content Security Policy Level 3, 2.3.1).
    private static func hash(_ code: StaticString) -> String {
        "sha256-" + Data(SHA256Digest.digest("\(code)".utf8)).base64EncodedString()
    }
}
