public import Bluetooth
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
