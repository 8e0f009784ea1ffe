/// What a path of the server stands for.
enum PageRoute {
    case file(PageFile)
    case events, state, orders, history, metrics, session
    case action(BenchAction.Kind)
    case order(OrderAction.Kind)

    private static let fixed: [String: PageRoute] = [
        "/events": .events, "/state": .state, "/orders": .orders, "/history": .history, "/metrics": .metrics,
        "/session": .session, "/": .file(.page), "/index.html": .file(.page), "/page.css": .file(.style),
    ]
    private static let actionPrefix = "/actions/"
    private static let orderPrefix = "/orders/"

    init?(_ path: String) {
        if let route = Self.fixed[path] {
            self = route
        } else if let module = PageFile.modules[path] {
            self = .file(module)
        } else if path.hasPrefix(Self.actionPrefix),
            let kind = BenchAction.Kind(rawValue: String(path.dropFirst(Self.actionPrefix.count)))
        {
            self = .action(kind)
        } else if path.hasPrefix(Self.orderPrefix),
            let kind = OrderAction.Kind(rawValue: String(path.dropFirst(Self.orderPrefix.count)))
        {
            self = .order(kind)
        } else {
            return nil
        }
    }

    /// The supported methods; GET includes HEAD.
    var methods: [String] {
        switch self {
        case .action, .order: ["POST"]
        case .session: ["GET", "POST", "DELETE"]
        default: ["GET"]
        }
    }

    /// The methods for the header Allow.
    var allowed: String { methods.map { $0 == "GET" ? "GET, HEAD" : $0 }.joined(separator: ", ") }
}

/// A file of the page, embedded in the program.
struct PageFile {
    let content: [UInt8]
    let type: String

    static let page = PageFile(content: PackageResources.page_html, type: "text/html; charset=utf-8")
    static let style = PageFile(content: PackageResources.page_css, type: "text/css; charset=utf-8")
    /// The modules of the script by their paths; the page names `page.js`, which imports the others.
    static let modules: [String: PageFile] = [
        "/bench.js": PackageResources.bench_js, "/details.js": PackageResources.details_js,
        "/orders.js": PackageResources.orders_js, "/page.js": PackageResources.page_js,
        "/plots.js": PackageResources.plots_js, "/rows.js": PackageResources.rows_js,
        "/server.js": PackageResources.server_js, "/stream.js": PackageResources.stream_js,
        "/tray.js": PackageResources.tray_js, "/words.js": PackageResources.words_js,
    ].mapValues { PageFile(content: $0, type: "text/javascript; charset=utf-8") }
}
