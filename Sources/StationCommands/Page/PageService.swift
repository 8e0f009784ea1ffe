import BenchPage
import Bytes
import CommandKit

/// Serves a page, and reports the links that open it.
struct PageService: Sendable {
    let options: BenchServerOptions
    let source: any BenchSource
    /// The roles to offer, the most powerful first.
    let roles: [PageRole]
    /// Receives the addresses: the event, and lines of text.
    let report: @Sendable (JSONLine, [String]) -> Void
    /// Called once the page is served and its addresses were reported.
    var ready: @Sendable (ServedPage) -> Void = { _ in }

    /// Serves until the task is cancelled, while `follow` updates what is shown; if `over` is given, until this stream
    /// has ended and viewers have received the last state.
    func run(
        until over: AsyncStream<Void>? = nil, following follow: @escaping @Sendable () async -> Void
    ) async throws {
        do {
            let server = try BenchServer(options, source)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    await follow()
                    return false
                }
                group.addTask {
                    try await server.run { page in
                        await announce(page, roles, server)
                        ready(page)
                    } signedIn: { page, role in
                        // The next browser gets a fresh link.
                        await announce(page, [role], server)
                    }
                    return true
                }
                if let over {
                    group.addTask {
                        for await _ in over {}
                        await server.flush(within: Self.timeout)
                        return true
                    }
                }
                defer { group.cancelAll() }
                while let isOver = try await group.next() { if isOver { return } }
            }
        } catch let error as BenchServerError {
            throw CommandFailure(
                error.code, during: "serving the page", message: error.message, nextStep: error.nextStep)
        }
    }

    /// How long to wait for viewers to receive the last state.
    private static let timeout = Duration.seconds(3)

    private func announce(_ page: ServedPage, _ roles: [PageRole], _ server: BenchServer) async {
        var links: [String: JSONValue] = [:]
        var lines: [String] = page.isWall || page.socket != nil ? page.addresses : []
        for role in roles {
            guard let link = page.link(signingInWith: await server.newToken(for: role)) else { continue }
            links[role.rawValue] = .text(link)
            lines.append("\(role.rawValue): \(link)")
        }
        var members: [String: JSONValue] = [
            "addresses": .list(page.addresses.map { .text($0) }), "links": .object(links),
        ]
        if page.isWall { members["wall"] = .bool(true) }
        report(JSONLine("page", members), lines)
    }
}
