package import Bytes
package import Nordic

/// A private key of any type.
package enum SigningKey {
    case p256(NordicPrivateKey)
    case ed25519(Ed25519PrivateKey)

    /// A new key.
    package init(_ type: KeyType) throws(SignatureError) {
        switch type {
        case .p256: self = .p256(try NordicPrivateKey())
        case .ed25519: self = .ed25519(try Ed25519PrivateKey())
        }
    }

    package var publicKey: VerifyingKey {
        switch self {
        case .p256(let key): .p256(key.publicKey)
        case .ed25519(let key): .ed25519(key.publicKey)
        }
    }

    package var pem: String {
        switch self {
        case .p256(let key): key.pem
        case .ed25519(let key): key.pem
        }
    }

    package var hex: String {
        switch self {
        case .p256(let key): key.hex
        case .ed25519(let key): HexText.encode(key.bytes)
        }
    }

    /// The signature of `statement`, 64 bytes.
    package func signature(of statement: [UInt8]) throws(SignatureError) -> [UInt8] {
        switch self {
        case .p256(let key): try key.sign(statement)
        case .ed25519(let key): try key.signature(of: statement)
        }
    }
}
