import ArgumentParser
package import Bytes
import Nordic

package enum KeyType: String, ExpressibleByArgument, CaseIterable {
    /// ECDSA with P-256 and SHA-256: packages for Nordic's bootloaders, MCUboot images, and catalogues.
    case p256
    /// Ed25519: MCUboot images and catalogues.
    case ed25519
}

/// A private key of any type.
package struct SigningKey {
    package let publicKey: VerifyingKey
    package let pem, hex: String
    private let sign: ([UInt8]) throws(SignatureError) -> [UInt8]

    init(_ key: NordicPrivateKey) {
        (publicKey, pem, hex) = (VerifyingKey(key.publicKey), key.pem, key.hex)
        sign = key.sign
    }

    init(_ key: Ed25519PrivateKey) {
        (publicKey, pem, hex) = (VerifyingKey(key.publicKey), key.pem, HexText.encode(key.bytes))
        sign = key.signature
    }

    package init(_ type: KeyType) throws(SignatureError) {
        switch type {
        case .p256: self.init(try NordicPrivateKey())
        case .ed25519: self.init(try Ed25519PrivateKey())
        }
    }

    /// The signature of `statement`, 64 bytes.
    package func signature(of statement: [UInt8]) throws(SignatureError) -> [UInt8] { try sign(statement) }
}

/// A public key of any type.
package struct VerifyingKey {
    package let type: KeyType
    package let pem, hex: String
    /// C code for a bootloader's source; nil for keys that Nordic's bootloaders do not hold.
    package var code: String?
    /// The SHA-256 of the key's bytes, in hexadecimal.
    package let fingerprint: String
    /// Whether the private key is publicly known.
    package var isPubliclyKnown = false
    private let verify: ([UInt8], [UInt8]) -> Bool

    init(_ key: NordicPublicKey) {
        (type, pem, hex, code) = (.p256, key.pem, key.hex, key.code)
        (fingerprint, isPubliclyKnown) = (HexText.encode(key.fingerprint), key.isDefaultKey)
        verify = { key.verifies($0, of: $1) }
    }

    init(_ key: Ed25519PublicKey) {
        (type, pem, hex) = (.ed25519, key.pem, HexText.encode(key.bytes))
        fingerprint = SHA256Digest.text(of: key.bytes)
        verify = { key.verifies($0, of: $1) }
    }

    func verifies(_ signature: [UInt8], of statement: [UInt8]) -> Bool { verify(signature, statement) }
}
