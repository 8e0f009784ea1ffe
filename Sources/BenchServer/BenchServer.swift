public import BenchPage
import Glibc
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL

/// Serves the page that shows benches at work. Belongs into a process of its own, beside the runs that it shows
/// (docs/decisions/0055).
public struct BenchServer: Sendable {
    private let options: BenchServerOptions
    private let hub: PageHub
    private let builder: HTTPServerBuilder

    /// A server of what `source` shows. Nobody can sign in before `newToken` was called.
    public init(_ options: BenchServerOptions, _ source: any BenchSource) throws(BenchServerError) {
        self.options = options
        let (mode, hosts) = try options.access()
        let instance = String(PageToken.random().text.prefix(6))
        hub = PageHub(
            source, PageAccess(mode, hosts: hosts, isSecure: options.tls != nil, instance: instance))
        let head = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: PageLimits.headBytes, maxHeaderListSize: PageLimits.headBytes,
            maxHeaderFieldCount: 64)
        let plain = HTTPServerBuilder.http1(
            configuration: .init(idleTimeout: TimeAmount(PageLimits.idle), httpDecoderConfiguration: head))
        guard let files = options.tls else {
            builder = plain
            return
        }
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(files.certificate).map {
                NIOSSLCertificateSource.certificate($0)
            }
            let key = NIOSSLPrivateKeySource.privateKey(try NIOSSLPrivateKey(file: files.key, format: .pem))
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain, privateKey: key)
            configuration.minimumTLSVersion = .tlsv12
            builder = try .tls(plain, tlsConfiguration: configuration)
        } catch {
            throw .tls(error)
        }
    }

    /// A token that signs one browser in as `role`, once; the one before for the same role is good no longer.
    public func newToken(for role: PageRole) async -> String { await hub.newToken(for: role).text }

    /// Serves until the task is cancelled, or listening fails; says by `ready` when the page can be opened.
    public func run(ready: @escaping @Sendable (ServedPage) async -> Void = { _ in })
        async throws(BenchServerError)
    {
        let listeners = self.listeners
        let result = await withTaskGroup(of: Result<Void, BenchServerError>.self) { group in
            group.addTask {
                await self.hub.run()
                return .success(())
            }
            group.addTask { await self.listen(listeners, ready) }
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
        /// Whether the page is served without it too, as without IPv6.
        var isOptional = false
    }

    private var listeners: [Listener] {
        guard case .loopback(let port) = options.place else { return [Listener(place: options.place)] }
        return [
            Listener(place: .network(host: "127.0.0.1", port: port)),
            Listener(place: .network(host: "::1", port: port), isOptional: true),
        ]
    }

    /// Each listens when the one before does, on the same port.
    private func listen(
        _ listeners: [Listener], _ ready: @escaping @Sendable (ServedPage) async -> Void
    ) async -> Result<Void, BenchServerError> {
        await withTaskGroup(of: Result<Void, BenchServerError>.self) { group in
            var port: Int?
            var addresses: [String] = []
            for listener in listeners {
                let (bound, binding) = AsyncStream.makeStream(of: Int?.self)
                let place = port.map { listener.place.on($0) } ?? listener.place
                group.addTask {
                    let result = await serve(place) { channel in
                        binding.yield(channel.localAddress?.port)
                        binding.finish()
                    }
                    binding.finish()
                    return listener.isOptional ? .success(()) : result
                }
                var iterator = bound.makeAsyncIterator()
                guard let number = await iterator.next() else { continue }
                port = port ?? number
                addresses.append(place.address(port: number, isSecure: options.tls != nil))
            }
            if !addresses.isEmpty { await ready(ServedPage(addresses: addresses)) }
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
        // Requests are not logged at all: paths, cookies and tokens would be in it.
        let logger = Logger(label: "bench-page") { _ in SwiftLogNoOpLogHandler() }
        let address: BindAddress
        var mask: mode_t?
        switch place {
        case .network(let host, let port): address = .hostname(host, port: port)
        case .loopback(let port): address = .hostname("127.0.0.1", port: port)
        case .socket(let path):
            address = .unixDomainSocket(path: path)
            mask = umask(0o177)
        }
        let before = mask
        let application = Application(
            responder: PageResponder(hub: hub, isSecure: options.tls != nil), server: builder,
            configuration: ApplicationConfiguration(
                address: address, serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    PageLimits.connections, logger: logger)),
            onServerRunning: { channel in
                if let before { _ = umask(before) }
                await running(channel)
            }, logger: logger)
        do {
            try await application.run()
            return .success(())
        } catch {
            if let before { _ = umask(before) }
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
        case .network(let host, let port): "\(host), port \(port),"
        case .socket(let path): path
        }
    }

    fileprivate func address(port: Int?, isSecure: Bool) -> String {
        guard case .network(let host, _) = self, let port else {
            if case .socket(let path) = self { return "unix:" + path }
            return ""
        }
        let shown = host.contains(":") ? "[\(host)]" : host
        return (isSecure ? "https://" : "http://") + "\(shown):\(port)/"
    }
}
