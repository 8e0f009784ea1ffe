import Crypto

/// The candidates for the secret number of a signature, derived from key and message (RFC 6979, 3.2) with HMAC
/// over SHA-256. The same key and message give the same sequence.
struct NonceSequence {
    private var key: [UInt8]
    private var value = [UInt8](repeating: 1, count: 32)
    private var isFirst = true

    /// The sequence for the private key `scalar` and a message's SHA-256 as a number modulo the order, 32 bytes each.
    init(scalar: [UInt8], digest: [UInt8]) {
        key = [UInt8](repeating: 0, count: 32)
        for mark: UInt8 in [0, 1] {
            key = Self.code(of: value + [mark] + scalar + digest, key)
            value = Self.code(of: value, key)
        }
    }

    /// The next candidate between 0 and the order.
    mutating func next() -> P256Scalar {
        while true {
            if !isFirst {
                key = Self.code(of: value + [0], key)
                value = Self.code(of: value, key)
            }
            isFirst = false
            value = Self.code(of: value, key)
            if let candidate = P256Scalar(exactly: value) { return candidate }
        }
    }

    private static func code(of message: [UInt8], _ key: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }
}
