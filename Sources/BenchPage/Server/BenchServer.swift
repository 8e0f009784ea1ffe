import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// Serves the page that shows benches at work. It runs in a process of its own, separate from the runs that it shows
/// (docs/decisions/0055).
public struct BenchServer: Sendable {
    private let options: BenchServerOptions
    private let hub: PageHub
    private let tls: TLSConfiguration?
    private let isWall: Bool

    /// A server for the states of `source`. No browser can sign in before `newToken` was called.
    public init(_ options: BenchServerOptions, _ source: any BenchSource) throws(BenchServerError) {
        self.options = options
        let (mode, hosts) = try options.access()
        let instance = String(PageToken.random().text.prefix(6))
        hub = PageHub(
            source,
            PageAccess(
                mode, hosts: hosts, isSecure: options.tls != nil, instance: instance,
                watcher: options.metricsToken))
        isWall = mode == .wall
        tls = try options.tls?.configuration
    }

    /// The builder of the HTTP server for `connections`.
    private func builder(_ connections: Connections) -> HTTPServerBuilder {
        HTTPServerBuilder { [tls] responder in
            let plain = HTTP1Channel(
                responder: { request, writer, channel in
                    connections.begin(channel)
                    try await responder(request, writer, channel)
                    connections.end(channel)
                }, configuration: Self.configuration(connections))
            guard let tls else { return plain }
            return try TLSChannel(plain, tlsConfiguration: tls)
        }
    }

    private static func configuration(_ connections: Connections) -> HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionWatch(connections)],
            idleTimeout: TimeAmount(PageLimits.idle),
            httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                maxHeaderFieldSize: PageLimits.headBytes, maxHeaderListSize: PageLimits.headBytes,
                maxHeaderFieldCount: 64))
    }

    /// A token that signs in one browser as `role`, once; it replaces an earlier one for the same role.
    public func newToken(for role: PageRole) async -> String { await hub.newToken(for: role).text }

    /// Returns when the source has ended and all viewers have received its last state, but after `limit` at the latest.
    public func settle(within limit: Duration) async { await hub.settle(within: limit) }

    /// Serves until the task is cancelled or listening fails. Calls `ready` when the page can be opened, and `signedIn`
    /// when the token of a role was used.
    public func run(
        ready: @escaping @Sendable (ServedPage) async -> Void = { _ in },
        signedIn: @escaping @Sendable (ServedPage, PageRole) async -> Void = { _, _ in }
    ) async throws(BenchServerError) {
        let listeners = self.listeners
        let result = await withTaskGroup(of: Result<Void, BenchServerError>.self) { group in
            group.addTask {
                await self.hub.run()
                return .success(())
            }
            group.addTask {
                await self.listen(listeners) { page in
                    await ready(page)
                    for await role in self.hub.signIns { await signedIn(page, role) }
                }
            }
            var result = Result<Void, BenchServerError>.success(())
            for await ended in group {
                if case .failure = ended {
                    result = ended
                    group.cancelAll()
                }
            }
            return result
        }
        try result.get()
    }

    // MARK: Listening

    private struct Listener: Sendable {
        let place: BenchServerOptions.Place
        /// Whether the page is also served without it, for example without IPv6.
        var isOptional = false
    }

    private var listeners: [Listener] {
        guard case .loopback(let port) = options.place else { return [Listener(place: options.place)] }
        return [
            Listener(place: .network(host: "127.0.0.1", port: port)),
            Listener(place: .network(host: "::1", port: port), isOptional: true),
        ]
    }

    /// Each listener starts after the one before, on the same port.
    private func listen(
        _ listeners: [Listener], _ serving: @escaping @Sendable (ServedPage) async -> Void
    ) async -> Result<Void, BenchServerError> {
        await withTaskGroup(of: Result<Void, BenchServerError>.self) { group in
            var port: Int?
            var addresses: [String] = []
            for listener in listeners {
                var places = [port.map { listener.place.on($0) } ?? listener.place]
                if port == nil, options.takesAnyPort { places.append(listener.place.on(0)) }
                var number: Int??
                for (turn, place) in places.enumerated() where number == nil {
                    let (bound, binding) = AsyncStream.makeStream(of: Int?.self)
                    let isOptional = listener.isOptional || turn < places.count - 1
                    group.addTask {
                        let result = await serve(place) { channel in
                            binding.yield(channel.localAddress?.port)
                            binding.finish()
                        }
                        binding.finish()
                        return isOptional ? .success(()) : result
                    }
                    var iterator = bound.makeAsyncIterator()
                    number = await iterator.next()
                }
                guard let number else {
                    if listener.isOptional { continue }
                    // Its task returns the reason, below.
                    addresses = []
                    break
                }
                port = port ?? number
                addresses.append(options.address(of: listener.place, port: number))
            }
            if !addresses.isEmpty {
                var socket: String?
                if case .socket(let path) = options.place { socket = path }
                let page = ServedPage(addresses: addresses, isWall: isWall, socket: socket)
                group.addTask {
                    await serving(page)
                    return .success(())
                }
            }
            for await result in group {
                if case .failure = result {
                    group.cancelAll()
                    return result
                }
            }
            return .success(())
        }
    }

    private func serve(
        _ place: BenchServerOptions.Place, _ running: @escaping @Sendable (any Channel) async -> Void
    ) async -> Result<Void, BenchServerError> {
        // Requests are not logged: a log would contain paths, cookies and tokens.
        let logger = Logger(label: "bench-page") { _ in SwiftLogNoOpLogHandler() }
        let address: BindAddress
        var socket: PrivateSocket?
        switch place {
        case .network(let host, let port): address = .hostname(host, port: port)
        case .loopback(let port): address = .hostname("127.0.0.1", port: port)
        case .socket(let path):
            do throws(BenchServerError) { socket = try PrivateSocket(at: path) } catch {
                return .failure(error)
            }
            address = .unixDomainSocket(path: socket?.bound ?? path)
        }
        defer { socket?.remove() }
        let made = socket
        let flaw = Mutex<BenchServerError?>(nil)
        let connections = Connections(isSecure: tls != nil)
        let application = Application(
            responder: PageResponder(hub: hub, connections: connections, isSecure: options.tls != nil),
            server: builder(connections),
            configuration: ApplicationConfiguration(
                address: address, serverName: nil, backlog: PageLimits.backlog,
                availableConnectionsDelegate: ConnectionGate(connections)),
            onServerRunning: { channel in
                do throws(BenchServerError) { try made?.show() } catch {
                    flaw.withLock { $0 = error }
                    channel.close(promise: nil)
                    return
                }
                await running(channel)
            }, logger: logger)
        do {
            try await application.run()
            return flaw.withLock { $0 }.map { .failure($0) } ?? .success(())
        } catch {
            // An error that closed the listener is the cause, whatever else is reported.
            if let found = flaw.withLock({ $0 }) { return .failure(found) }
            return Task.isCancelled ? .success(()) : .failure(.listening(place.words, error))
        }
    }
}

extension BenchServerOptions.Place {
    fileprivate func on(_ port: Int) -> BenchServerOptions.Place {
        if case .network(let host, _) = self { .network(host: host, port: port) } else { self }
    }

    fileprivate var words: String {
        switch self {
        case .loopback(let port): "port \(port)"
        case .network(let host, let port): "\(host), port \(port)"
        case .socket(let path): path
        }
    }
}

extension BenchServerOptions {
    /// The address for a browser of the page that listens at `place`: with a given name, if there is one. 0.0.0.0, all
    /// addresses of the machine, cannot be opened itself.
    fileprivate func address(of place: Place, port: Int?) -> String {
        guard case .network(let host, _) = place, let port else {
            if case .socket(let path) = place { return "unix:" + path }
            return ""
        }
        var shown = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
        if case .network = self.place, let name = names.first { shown = name }
        if shown.contains(":"), !shown.hasPrefix("[") { shown = "[\(shown)]" }
        return (tls == nil ? "http://" : "https://") + "\(shown):\(port)/"
    }
}
