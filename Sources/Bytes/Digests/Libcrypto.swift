import CCrypto

enum Libcrypto {
    /// Whether libcrypto could be started. It does not free its memory when the process ends, because other threads may
    /// still use it.
    static let isStarted = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
}

/// Why no key or signature was created: a fault of this program or of the machine.
public enum SignatureError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The new signature does not verify.
    case wrong
    /// OpenSSL could not compute the key or the signature; the reason in OpenSSL's words.
    case failed(String)

    /// ``failed(_:)`` with the last error of OpenSSL in this thread.
    static var library: SignatureError {
        defer { ERR_clear_error() }
        return .failed(
            ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) } ?? "no reason given")
    }

    public var description: String {
        switch self {
        case .wrong: "the new signature does not verify"
        case .failed(let words): "OpenSSL reports an error: \(words)"
        }
    }
}

extension [UInt8] {
    /// `count` bytes of the system's random number generator.
    static func random(count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: .min ... .max) } }
}
