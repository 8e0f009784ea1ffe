import HTTPTypes
import NIOCore

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
    var methods: [HTTPRequest.Method] {
        switch self {
        case .action: [.post]
        case .session: [.get, .post, .delete]
        default: [.get]
        }
    }

    /// The methods for the header Allow.
    var allowed: String {
        methods.map { $0 == .get ? "GET, HEAD" : $0.rawValue }.joined(separator: ", ")
    }
}
