public import Bluetooth
import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
public import Work

/// Files by their SHA-256 from a static HTTP server, for example nginx with a folder.
///
/// The caller checks the hash: the server is not trusted, so plain HTTP is enough. Each connection requests one file,
/// and redirections are not followed.
public struct FileMirror: FileSource {
    /// The largest file, in bytes; the work server accepts none that is larger.
    public static let largestFile = 16 << 20

    /// Its address.
    public let address: MirrorAddress
    private let time: Timekeeper
    private let timeout: Duration

    /// The mirror at `address`, with the timeout `timeout` for a whole file.
    public init(_ address: MirrorAddress, time: Timekeeper, timeout: Duration = .seconds(15)) {
        (self.address, self.time, self.timeout) = (address, time, timeout)
    }

    /// The mirror's file with this SHA-256.
    public func file(_ sha256: String) async throws(WorkError) -> [UInt8] {
        let answer: Answer?
        do {
            answer = try await time.within(timeout) { try await ask(for: address.path(of: sha256)) }
        } catch {
            throw failure(.unreachable, "mirror-unreachable", "\(error)")
        }
        guard let answer else {
            let seconds = timeout.components.seconds
            throw failure(.unreachable, "mirror-unreachable", "no complete answer within \(seconds) s")
        }
        guard answer.status == 200 else {
            throw failure(.refused, "mirror-lacks-file", "\(sha256): HTTP status \(answer.status)")
        }
        return answer.body
    }

    private struct Answer: Sendable {
        let status: UInt
        let body: [UInt8]
    }

    private func ask(for path: String) async throws -> Answer {
        let tls: NIOSSLContext? =
            try address.isSecure ? NIOSSLContext(configuration: .makeClientConfiguration()) : nil
        let address = address
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(10))
            .connect(host: address.host, port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(address.handler(of: tls)) }
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(
                        NIOHTTPClientResponseAggregator(maxContentLength: Self.largestFile))
                    return try NIOAsyncChannel<NIOHTTPClientResponseFull, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { answers, requests in
            let headers: HTTPHeaders = [
                "host": address.authority, "accept": "*/*", "connection": "close", "user-agent": "beacon-dfu",
            ]
            // Sent in one piece: a server may answer the head, and close, before the end is written.
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: headers)
            try await requests.write(contentsOf: [.head(head), .end(nil)])
            for try await answer in answers {
                return Answer(
                    status: answer.head.status.code,
                    body: answer.body.map { Array($0.readableBytesView) } ?? [])
            }
            throw ChannelError.eof
        }
    }

    private func failure(_ kind: WorkError.Kind, _ code: String, _ message: String) -> WorkError {
        WorkError(kind, code, during: "fetching a file", message: "\(address): \(message)")
    }
}

extension MirrorAddress {
    /// A TLS handler that checks the server's name in the certificate; for an address, it checks the address.
    fileprivate func handler(of context: NIOSSLContext) throws -> NIOSSLClientHandler {
        let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
        return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host)
    }
}

/// The address of a mirror: `http://files.plant/firmware`, or `https`, below which each file is `sha256/` and its hash.
public struct MirrorAddress: Hashable, Sendable, CustomStringConvertible {
    /// Whether it is accessed with TLS.
    public let isSecure: Bool
    /// The server's name or address, an IPv6 address without brackets.
    public let host: String
    /// Its port; the default is 80, or 443 with TLS.
    public let port: Int
    /// The path of the folder, without `/` at its end.
    public let path: String

    /// Parses an address; nil for one without a server, or with a query or a user: a password there would be visible to
    /// everyone.
    public init?(_ text: String) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URL(string: text),
            let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            var host = url.host(), !host.isEmpty, url.user() == nil, url.password() == nil,
            url.query() == nil, url.fragment() == nil
        else { return nil }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        isSecure = scheme == "https"
        self.host = host
        port = url.port ?? (isSecure ? 443 : 80)
        guard (1...65_535).contains(port) else { return nil }
        var path = url.path(percentEncoded: true)
        while path.hasSuffix("/") { path.removeLast() }
        self.path = path
    }

    /// The server's name in a request, with the port if it is not the default.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// The request path of the file of `sha256`.
    func path(of sha256: String) -> String { "\(path)/sha256/\(sha256)" }

    /// The address in its usual form.
    public var description: String { "\(isSecure ? "https" : "http")://\(authority)\(path)" }
}
