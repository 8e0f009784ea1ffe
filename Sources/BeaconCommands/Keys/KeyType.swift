import ArgumentParser

/// What a key is for.
enum KeyType: String, ExpressibleByArgument, CaseIterable {
    /// ECDSA with P-256 and SHA-256: packages for Nordic's bootloaders, and catalogues.
    case p256
    /// Ed25519: catalogues alone.
    case ed25519
}
