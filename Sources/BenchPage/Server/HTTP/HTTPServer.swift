import Bluetooth
import CLinux
import CMicrohttpd
import Glibc
import Synchronization

/// An HTTP/1.1 server on one thread of its own: libmicrohttpd reads requests and writes answers, with GnuTLS; here are
/// the listeners, the time limits, and which connections stay.
///
/// All state is confined to the thread. Others send it messages, and a request that has to wait is suspended.
final class HTTPServer: Sendable {
    struct TLS: Sendable {
        /// The texts of both PEM files, each with a trailing zero.
        let certificate: [CChar]
        let key: [CChar]

        init(certificate: String, key: String) throws(HTTPFailure) {
            (self.certificate, self.key) = (try Self.file(certificate), try Self.file(key))
            if let fault { throw HTTPFailure(description: fault) }
        }
    }

    /// A message of another thread to the server's thread.
    enum Message: Sendable {
        case stop
        case answer(connection: Int, request: Int, HTTPAnswer)
        /// The stream of the connection may have a next part.
        case wake(connection: Int)
    }

    /// The messages to the server's thread, and the descriptor that wakes it.
    final class Mailbox: Sendable {
        let doorbell: Int32
        private let messages = Mutex<[Message]>([])

        init() throws(SocketError) {
            doorbell = eventfd(0, eventfd_flags)
            guard doorbell >= 0 else { throw SocketError(call: "eventfd", errno: errno) }
        }

        deinit { close(doorbell) }

        func post(_ message: Message) {
            messages.withLock { $0.append(message) }
            _ = eventfd_write(doorbell, 1)
        }

        func take() -> [Message] {
            var count: eventfd_t = 0
            _ = eventfd_read(doorbell, &count)
            return messages.withLock { messages in
                defer { messages = [] }
                return messages
            }
        }
    }

    private let tls: TLS?
    private let limits: HTTPLimits
    private let responder: any HTTPResponder

    init(tls: TLS? = nil, limits: HTTPLimits = HTTPLimits(), responder: some HTTPResponder) {
        (self.tls, self.limits, self.responder) = (tls, limits, responder)
    }

    /// Serves on `sockets` until the task is cancelled, then closes them. Returns why it failed, or nil.
    func run(on sockets: [ListeningSocket]) async -> String? {
        do throws(SocketError) {
            let mailbox = try Mailbox()
            return try await DetachedThread.result { [self] in
                HTTPLoop(sockets, isSecure: tls != nil, limits, responder, mailbox).run(tls)
            } onCancel: {
                mailbox.post(.stop)
            }
        } catch {
            for socket in sockets { close(socket.descriptor) }
            return "\(error)"
        }
    }
}

/// Why a server cannot listen, or cannot use its certificate.
struct HTTPFailure: Error, CustomStringConvertible { let description: String }

extension HTTPFailure {
    init(_ what: String, code: Int32 = errno) { description = "\(what): \(String(cString: strerror(code)))" }
}

extension HTTPServer.TLS {
    /// Only with forward secrecy: a key stolen later decrypts no recorded traffic. TLS 1.3 has no other ciphers.
    static let ciphers =
        "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA"
        + ":-CIPHER-ALL:+AES-128-GCM:+AES-256-GCM:+CHACHA20-POLY1305:-MAC-ALL:+AEAD"

    private static func file(_ path: String) throws(HTTPFailure) -> [CChar] {
        var content = gnutls_datum_t()
        guard gnutls_load_file(path, &content) == 0, let bytes = content.data else { throw HTTPFailure(path) }
        defer { free(bytes) }
        return UnsafeBufferPointer(start: bytes, count: Int(content.size)).map { CChar(bitPattern: $0) } + [0]
    }

    /// What is wrong with certificate and key; nil if they can be used.
    private var fault: String? {
        var credentials: gnutls_certificate_credentials_t?
        var code = gnutls_certificate_allocate_credentials(&credentials)
        guard code == 0, let credentials else { return String(cString: gnutls_strerror(code)) }
        defer { gnutls_certificate_free_credentials(credentials) }
        code = certificate.withUnsafeBytes { certificate in
            key.withUnsafeBytes { key in
                // Without their trailing zeros.
                var one = Self.datum(certificate.dropLast())
                var two = Self.datum(key.dropLast())
                return gnutls_certificate_set_x509_key_mem(credentials, &one, &two, GNUTLS_X509_FMT_PEM)
            }
        }
        return code == 0 ? nil : String(cString: gnutls_strerror(code))
    }

    private static func datum(_ bytes: Slice<UnsafeRawBufferPointer>) -> gnutls_datum_t {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        // The library only reads it.
        return gnutls_datum_t(
            data: UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress),
            size: UInt32(clamping: bytes.count))
    }
}
