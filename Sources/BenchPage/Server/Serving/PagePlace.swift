/// The resource at a path.
enum PagePlace {
    case file(PageFiles.File)
    case events, state, orders, history, metrics, session
    case action(BenchAction.Kind)

    /// The resource at `path`; nil if there is none.
    init?(_ path: String) {
        switch path {
        case "/events": self = .events
        case "/state": self = .state
        case "/orders": self = .orders
        case "/history": self = .history
        case "/metrics": self = .metrics
        case "/session": self = .session
        default:
            if path.hasPrefix("/actions/") {
                guard let kind = BenchAction.Kind(rawValue: String(path.dropFirst("/actions/".count))) else {
                    return nil
                }
                self = .action(kind)
            } else {
                guard let file = PageFiles.file(path) else { return nil }
                self = .file(file)
            }
        }
    }

    /// The supported methods, with HEAD as GET.
    var methods: [String] {
        switch self {
        case .action: ["POST"]
        case .session: ["GET", "POST", "DELETE"]
        default: ["GET"]
        }
    }

    /// The methods for the header Allow.
    var allowed: String { methods.map { $0 == "GET" ? "GET, HEAD" : $0 }.joined(separator: ", ") }
}

/// The three files of the page, embedded in the program.
enum PageFiles {
    /// A file's content and type.
    struct File {
        let content: [UInt8]
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

    private static let page = PackageResources.page_html
    private static let style = PackageResources.page_css
    private static let script = PackageResources.page_js
}
