package import Bluetooth
import CCurl
import FoundationEssentials
import Synchronization
import Tray
import UpdateModel
package import Work

/// A static HTTP server that has the work server's files by their SHA-256, for example nginx with a folder.
///
/// The caller checks each file's hash, and so the server need not be trusted and plain HTTP is enough. Each connection
/// requests one file; redirections are not followed.
package struct FileMirror: Sendable {
    /// The largest file, in bytes; the work server accepts none that is larger.
    package static let largestFile = 16 << 20

    let address: MirrorAddress
    private let time: Timekeeper
    private let timeout: Duration

    /// The mirror at `address`. `timeout`: the time limit for a whole file.
    package init(_ address: MirrorAddress, time: Timekeeper, timeout: Duration = .seconds(15)) {
        (self.address, self.time, self.timeout) = (address, time, timeout)
    }

    package func file(_ sha256: String) async throws(WorkError) -> [UInt8] {
        let fetch = MirrorFetch("\(address)/sha256/\(sha256)", atMost: Self.largestFile)
        let answer: MirrorFetch.Answer?
        do { answer = try await time.within(timeout) { try await fetch.answer() } } catch {
            throw failure(.unreachable, .station.mirrorUnreachable, "\(error)")
        }
        guard let answer else {
            let seconds = timeout.components.seconds
            throw failure(.unreachable, .station.mirrorUnreachable, "no complete answer within \(seconds) s")
        }
        guard answer.status == 200 else {
            throw failure(.refused, .station.mirrorLacksFile, "\(sha256): HTTP status \(answer.status)")
        }
        return answer.body
    }

    private func failure(_ kind: WorkError.Kind, _ code: FailureCode, _ message: String) -> WorkError {
        WorkError(kind, code, during: "fetching a file", message: "\(address): \(message)")
    }
}

/// One request to a mirror, by libcurl on a separate thread, because libcurl's calls block.
private final class MirrorFetch: Sendable {
    typealias Answer = (status: Int, body: [UInt8])

    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ code: CURLcode) { description = String(cString: curl_easy_strerror(code)) }
    }

    private static let initialised = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    private let url: String
    private let limit: Int
    private let isCancelled = Atomic(false)
    private let body = Mutex<[UInt8]>([])

    init(_ url: String, atMost limit: Int) { (self.url, self.limit) = (url, limit) }

    /// The answer. A cancelled request ends within a second.
    func answer() async throws -> Answer {
        try await DetachedThread.result {
            Result { () throws(Failure) in try self.transfer() }
        } onCancel: {
            self.isCancelled.store(true, ordering: .relaxed)
        }.get()
    }

    private func transfer() throws(Failure) -> Answer {
        guard Self.initialised == CURLE_OK, let transfer = curl_easy_init() else {
            throw Failure(CURLE_FAILED_INIT)
        }
        defer { curl_easy_cleanup(transfer) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        var result = CURLE_OK
        func set(_ code: CURLcode) { if result == CURLE_OK { result = code } }
        set(curl_set_text(transfer, CURLOPT_URL, url))
        set(curl_set_text(transfer, CURLOPT_PROTOCOLS_STR, "http,https"))
        // Mirrors are in the same plant: a proxy from the environment is not used.
        set(curl_set_text(transfer, CURLOPT_PROXY, ""))
        set(curl_set_text(transfer, CURLOPT_USERAGENT, "beacon-dfu"))
        set(curl_set_number(transfer, CURLOPT_PATH_AS_IS, 1))
        set(curl_set_number(transfer, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1))
        set(curl_set_number(transfer, CURLOPT_FORBID_REUSE, 1))
        set(curl_set_number(transfer, CURLOPT_NOSIGNAL, 1))
        set(curl_set_number(transfer, CURLOPT_CONNECTTIMEOUT, 10))
        set(
            curl_set_callbacks(
                transfer,
                { bytes, size, count, context in
                    guard let bytes, let context else { return 0 }
                    let fetch = Unmanaged<MirrorFetch>.fromOpaque(context).takeUnretainedValue()
                    return fetch.receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
                },
                { context, _, _, _, _ in
                    guard let context else { return 1 }
                    let fetch = Unmanaged<MirrorFetch>.fromOpaque(context).takeUnretainedValue()
                    return fetch.isCancelled.load(ordering: .relaxed) ? 1 : 0
                }, context))
        if result == CURLE_OK { result = curl_easy_perform(transfer) }
        guard result == CURLE_OK else { throw Failure(result) }
        return (curl_status(transfer), body.withLock { $0 })
    }

    /// Appends `bytes` to the body, and returns their number; 0, which ends the transfer, if the body would be too large.
    private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        body.withLock { body in
            guard body.count + bytes.count <= limit else { return 0 }
            body.append(contentsOf: bytes)
            return bytes.count
        }
    }
}

/// The address of a mirror, for example `http://files.plant/firmware`, or HTTPS. Below it, files are `sha256/HASH`.
package struct MirrorAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address with its port, unless that is the default (80, or 443 with TLS); without `/` at the end.
    package let description: String

    /// Parses an address; nil if it names no server, or has a query, a fragment, or a user or password, which everyone
    /// could see.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URL(string: text),
            let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            var host = url.host(), !host.isEmpty, url.user() == nil, url.password() == nil,
            url.query() == nil, url.fragment() == nil
        else { return nil }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        // An IPv6 address is written in brackets.
        if host.contains(":") { host = "[\(host)]" }
        let standardPort = scheme == "https" ? 443 : 80
        let port = url.port ?? standardPort
        guard (1...65_535).contains(port) else { return nil }
        var path = url.path(percentEncoded: true)
        while path.hasSuffix("/") { path.removeLast() }
        description = "\(scheme)://\(host)\(port == standardPort ? "" : ":\(port)")\(path)"
    }
}
