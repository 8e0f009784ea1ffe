import NIOCore

/// The three files of the page, embedded in the program.
enum PageFiles {
    /// A file's content and type.
    struct File {
        let content: ByteBuffer
        let type: String
    }

    /// The file at `path`; nil for none.
    static func file(_ path: String) -> File? {
        switch path {
        case "/", "/index.html": File(content: page, type: "text/html; charset=utf-8")
        case "/page.css": File(content: style, type: "text/css; charset=utf-8")
        case "/page.js": File(content: script, type: "text/javascript; charset=utf-8")
        default: nil
        }
    }

    private static let page = ByteBuffer(bytes: PackageResources.page_html)
    private static let style = ByteBuffer(bytes: PackageResources.page_css)
    private static let script = ByteBuffer(bytes: PackageResources.page_js)
}
