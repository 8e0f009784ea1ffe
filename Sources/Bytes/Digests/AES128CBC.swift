import Crypto
import CryptoExtras

/// AES-128 in CBC mode (NIST SP 800-38A, 6.2) with one key and one initialisation vector; swift-crypto does the work.
///
/// It hides content but does not authenticate it: changes go undetected.
public struct AES128CBC: Sendable {
    /// Bytes of a block, of the key, and of the initialisation vector.
    public static let blockBytes = 16

    private let key: SymmetricKey
    private let vector: AES._CBC.IV

    /// A cipher with `key` and `vector`; nil unless both have 16 bytes.
    public init?(key: [UInt8], vector: [UInt8]) {
        guard key.count == Self.blockBytes, vector.count == Self.blockBytes,
            let vector = try? AES._CBC.IV(ivBytes: vector)
        else { return nil }
        self.key = SymmetricKey(data: key)
        self.vector = vector
    }

    /// `plaintext` encrypted, with the same length; nil unless it has a multiple of 16 bytes.
    public func encrypted(_ plaintext: [UInt8]) -> [UInt8]? {
        (try? AES._CBC.encrypt(plaintext, using: key, iv: vector, noPadding: true)).map(Array.init)
    }
}

extension AES128CBC: CustomStringConvertible, CustomReflectable {
    /// Without the key.
    public var description: String { "AES-128-CBC" }
    /// Empty, so that a dump of a value that contains a cipher does not show the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
