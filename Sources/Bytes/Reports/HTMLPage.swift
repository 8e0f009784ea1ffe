import FoundationEssentials

/// An HTML page in one file that loads nothing and runs only its own code.
///
/// Its Content Security Policy permits one style and one script, by their SHA-256, and nothing else: no
/// requests, no images, no forms, no code in attributes. Even text that was taken for markup could do no harm.
public struct HTMLPage: Sendable {
    /// The title of the window.
    public let title: String
    /// The kind of page, for programs that check the beginning of the file.
    public let kind: StaticString
    /// Its only style sheet.
    public let style: StaticString
    /// Its only script, which runs once the page is loaded. The page has to be useful without it.
    public let script: StaticString
    /// Its content.
    public let body: [HTML]

    /// A page as described.
    public init(
        title: String, kind: StaticString, style: StaticString, script: StaticString, body: [HTML]
    ) {
        self.title = title
        self.kind = kind
        self.style = style
        self.script = script
        self.body = body
    }

    /// The beginning of every page of `kind`.
    public static func beginning(of kind: StaticString) -> String { "<!DOCTYPE html>\n<!-- \(kind) -->\n" }

    /// The content of the file.
    public var text: String {
        let policy =
            "default-src 'none'; style-src '\(Self.hash(style))'; script-src '\(Self.hash(script))'; "
            + "base-uri 'none'; form-action 'none'"
        let head: [HTML] = [
            .single("meta", [.init("charset", "utf-8")]),
            .single("meta", [.init("http-equiv", "Content-Security-Policy"), .init("content", policy)]),
            .single(
                "meta", [.init("name", "viewport"), .init("content", "width=device-width, initial-scale=1")]),
            .single("meta", [.init("name", "color-scheme"), .init("content", "light dark")]),
            .element("title", [], [HTML(title)]),
        ]
        return Self.beginning(of: kind) + "<html lang=\"en\">\n<head>\n"
            + head.map(\.markup).joined(separator: "\n")
            + "\n<style>\(style)</style>\n</head>\n<body>\n" + body.map(\.markup).joined(separator: "\n")
            + "\n<script>\(script)</script>\n</body>\n</html>\n"
    }

    /// A source expression of the policy (Content Security Policy Level 3, 2.3.1).
    private static func hash(_ code: StaticString) -> String {
        "sha256-" + Data(SHA256Digest.digest("\(code)".utf8)).base64EncodedString()
    }
}
