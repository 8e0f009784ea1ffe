import ArgumentParser

/// The type of a key.
package enum KeyType: String, ExpressibleByArgument, CaseIterable {
    /// ECDSA with P-256 and SHA-256: packages for Nordic's bootloaders, and catalogues.
    case p256
    /// Ed25519: catalogues only.
    case ed25519
}
