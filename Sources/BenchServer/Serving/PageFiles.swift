import NIOCore

/// The three files of the page, which are in the program.
enum PageFiles {
    /// A file: what it holds, and what it is.
    static func file(_ path: Substring) -> (content: ByteBuffer, type: String)? {
        switch path {
        case "/", "/index.html": (page, "text/html; charset=utf-8")
        case "/page.css": (style, "text/css; charset=utf-8")
        case "/page.js": (script, "text/javascript; charset=utf-8")
        default: nil
        }
    }

    private static let page = ByteBuffer(bytes: PackageResources.page_html)
    private static let style = ByteBuffer(bytes: PackageResources.page_css)
    private static let script = ByteBuffer(bytes: PackageResources.page_js)
}
