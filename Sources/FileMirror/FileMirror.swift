import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
public import Stations
public import Timing
public import WorkOrders

/// Files by their SHA-256 from a static server of HTTP, as nginx with a folder.
///
/// Whoever asks checks the hash: the server is trusted with nothing, so plain HTTP does. It is asked for one file a connection, and its
/// redirections are not followed.
public struct FileMirror: FileSource {
    /// The largest file, in bytes; the engine takes none that is larger.
    public static let largestFile = 16 << 20

    /// Where it is.
    public let address: MirrorAddress
    private let time: Timekeeper
    private let timeout: Duration

    /// The mirror at `address`, which has `timeout` for a whole file.
    public init(_ address: MirrorAddress, time: Timekeeper, timeout: Duration = .seconds(15)) {
        (self.address, self.time, self.timeout) = (address, time, timeout)
    }

    /// What the mirror has under this SHA-256.
    public func file(_ sha256: String) async throws(WorkError) -> [UInt8] {
        let answer: Answer?
        do {
            answer = try await time.within(timeout) { try await ask(for: address.path(of: sha256)) }
        } catch {
            throw failure(.unreachable, "mirror-unreachable", "\(error)")
        }
        guard let answer else {
            let seconds = timeout.components.seconds
            throw failure(.unreachable, "mirror-unreachable", "no whole answer in \(seconds) s")
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
            // In one piece: a server may answer the head, and close, before the end is written.
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
    /// TLS, which looks for the server's name in the certificate; for an address it looks for the address.
    fileprivate func handler(of context: NIOSSLContext) throws -> NIOSSLClientHandler {
        let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
        return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host)
    }
}
