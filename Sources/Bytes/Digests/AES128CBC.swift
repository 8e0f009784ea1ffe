import CCrypto

/// AES-128 in CBC mode (NIST SP 800-38A, 6.2) with one key and one initialisation vector; libcrypto does the work.
///
/// It hides content but does not authenticate it: changes go undetected.
public struct AES128CBC: Sendable, CustomStringConvertible, CustomReflectable {
    /// Bytes of a block, of the key, and of the initialisation vector.
    public static let blockBytes = 16

    private let key: [UInt8]
    private let vector: [UInt8]

    /// A cipher with `key` and `vector`; nil unless both have 16 bytes.
    public init?(key: [UInt8], vector: [UInt8]) {
        guard key.count == Self.blockBytes, vector.count == Self.blockBytes else { return nil }
        (self.key, self.vector) = (key, vector)
    }

    /// `plaintext` encrypted, with the same length; nil unless it has a multiple of 16 bytes.
    public func encrypted(_ plaintext: [UInt8]) -> [UInt8]? {
        guard Libcrypto.isStarted, let count = Int32(exactly: plaintext.count),
            let context = EVP_CIPHER_CTX_new()
        else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        var (written, rest): (Int32, Int32) = (0, 0)
        // Padding would add a block.
        var result = [UInt8](repeating: 0, count: plaintext.count + Self.blockBytes)
        guard EVP_EncryptInit_ex(context, EVP_aes_128_cbc(), nil, key, vector) == 1,
            EVP_CIPHER_CTX_set_padding(context, 0) == 1,
            EVP_EncryptUpdate(context, &result, &written, plaintext, count) == 1, written == count,
            EVP_EncryptFinal_ex(context, &result, &rest) == 1, rest == 0
        else { return nil }
        return Array(result.prefix(plaintext.count))
    }

    public var description: String { "AES-128-CBC" }
    /// Empty, so that a dump of a value that contains a cipher does not show the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
