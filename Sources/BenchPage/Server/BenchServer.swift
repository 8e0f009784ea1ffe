/// Serves the page that shows benches at work, in a process apart from the runs that it shows (docs/decisions/0055).
package struct BenchServer: Sendable {
    private let options: BenchServerOptions
    private let hub: PageHub
    private let server: HTTPServer
    private let isWall: Bool

    /// A server for the states of `source`. No browser can sign in before `newToken` was called.
    package init(_ options: BenchServerOptions, _ source: any BenchSource) throws(BenchServerError) {
        self.options = options
        let access = try options.access()
        isWall = access.isWall
        let instance = String(PageToken.random().text.prefix(6))
        hub = PageHub(
            source,
            PageAccess(
                isWall: isWall, hosts: access.hosts, instance: instance, metricsToken: options.metricsToken))
        let tls: HTTPServer.TLS?
        do throws(HTTPFailure) {
            tls = try options.tls.map { files throws(HTTPFailure) in
                try HTTPServer.TLS(certificate: files.certificate, key: files.key)
            }
        } catch { throw .tls(error) }
        server = HTTPServer(tls: tls, responder: PageResponder(hub: hub, isSecure: tls != nil))
    }

    /// A token that signs in one browser as `role`, once; it replaces an earlier one for the same role.
    package func newToken(for role: PageRole) async -> String {
        hub.access { access, _ in access.newToken(for: role).text }
    }

    /// Returns when the source has ended and all viewers have received its last state, but after `limit` at the latest.
    package func flush(within limit: Duration) async { await hub.flush(within: limit) }

    /// Serves until the task is cancelled or listening fails. Calls `ready` when the page can be opened, and `signedIn`
    /// when the token of a role was used.
    package func run(
        ready: @escaping @Sendable (ServedPage) async -> Void = { _ in },
        signedIn: @escaping @Sendable (ServedPage, PageRole) async -> Void = { _, _ in }
    ) async throws(BenchServerError) {
        let open = try listen()
        defer { open.privateSocket?.remove() }
        let failure = await withTaskGroup(of: String?.self) { group in
            group.addTask {
                await hub.run()
                return nil
            }
            group.addTask {
                await ready(open.page)
                for await role in hub.signIns { await signedIn(open.page, role) }
                return nil
            }
            defer { group.cancelAll() }
            return await server.run(on: open.sockets)
        }
        if let failure, !Task.isCancelled { throw .listening(options.place.words, failure) }
    }

    // MARK: Listening

    private struct Open: Sendable {
        var sockets: [ListeningSocket]
        var privateSocket: PrivateSocket?
        let page: ServedPage
    }

    private func listen() throws(BenchServerError) -> Open {
        switch options.place {
        case .socket(let path):
            let socket = try PrivateSocket(at: path)
            let page = ServedPage(addresses: ["unix:" + path], isWall: isWall, socket: path)
            return Open(sockets: [socket.socket], privateSocket: socket, page: page)
        case .network(let host, let port): return try listen([host], port: port)
        case .loopback(let port): return try listen(["127.0.0.1", "::1"], port: port)
        }
    }

    /// Listens on all `hosts` with the same port; only the first is needed: a machine may have no IPv6.
    private func listen(_ hosts: [String], port: Int) throws(BenchServerError) -> Open {
        var sockets: [ListeningSocket] = []
        var addresses: [String] = []
        for host in hosts {
            var port = sockets.first?.port ?? port
            do throws(HTTPFailure) {
                sockets.append(try socket(on: host, port))
            } catch {
                if sockets.isEmpty { throw .listening(options.place.words, error.description) }
                continue
            }
            port = sockets.last?.port ?? port
            addresses.append(options.address(of: host, port: port))
        }
        return Open(sockets: sockets, page: ServedPage(addresses: addresses, isWall: isWall, socket: nil))
    }

    /// Listens on `port`, or on a free port if `port` is taken and the options allow any.
    private func socket(on host: String, _ port: Int) throws(HTTPFailure) -> ListeningSocket {
        do throws(HTTPFailure) { return try ListeningSocket(host: host, port: port) } catch {
            guard options.takesAnyPort, port != 0 else { throw error }
            return try ListeningSocket(host: host, port: 0)
        }
    }
}

extension BenchServerOptions.Place {
    fileprivate var words: String {
        switch self {
        case .loopback(let port): "port \(port)"
        case .network(let host, let port): "\(host), port \(port)"
        case .socket(let path): path
        }
    }
}

extension BenchServerOptions {
    /// The address for browsers of the page that listens at `host`, with the first given name on a network. 0.0.0.0
    /// and ::, which mean all addresses of the machine and cannot be opened, become the loopback.
    fileprivate func address(of host: String, port: Int) -> String {
        var shown = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
        if case .network = place, let name = names.first { shown = name }
        if shown.contains(":"), !shown.hasPrefix("[") { shown = "[\(shown)]" }
        return (tls == nil ? "http://" : "https://") + "\(shown):\(port)/"
    }
}
