import ArgumentParser
package import Bytes
package import Nordic

package enum KeyType: String, ExpressibleByArgument, CaseIterable {
    /// ECDSA with P-256 and SHA-256: packages for Nordic's bootloaders, and catalogues.
    case p256
    /// Ed25519: catalogues only.
    case ed25519
}

/// A private key of any type.
package enum SigningKey {
    case p256(NordicPrivateKey)
    case ed25519(Ed25519PrivateKey)

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

/// A public key of any type.
package enum VerifyingKey {
    case p256(NordicPublicKey)
    case ed25519(Ed25519PublicKey)

    package var type: KeyType {
        switch self {
        case .p256: .p256
        case .ed25519: .ed25519
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

    /// C code for a bootloader's source; nil for keys that no bootloader holds.
    package var code: String? { if case .p256(let key) = self { key.code } else { nil } }

    /// The SHA-256 of its bytes.
    package var fingerprint: String {
        switch self {
        case .p256(let key): HexText.encode(key.fingerprint)
        case .ed25519(let key): HexText.encode(SHA256Digest.digest(key.bytes))
        }
    }

    /// Whether the private key is public.
    package var isPubliclyKnown: Bool { if case .p256(let key) = self { key.isPubliclyKnown } else { false } }

    /// Whether `signature` is a valid signature of `statement`.
    func verifies(_ signature: [UInt8], of statement: [UInt8]) -> Bool {
        switch self {
        case .p256(let key): key.verifies(signature, of: statement)
        case .ed25519(let key): key.verifies(signature, of: statement)
        }
    }
}
