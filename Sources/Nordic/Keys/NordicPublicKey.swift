import Bytes

/// The public key built into a bootloader; the bootloader only takes init packets signed with its private key.
public struct NordicPublicKey: Sendable {
    let key: P256PublicKey

    init(_ key: P256PublicKey) { self.key = key }

    /// The key in a PEM file (`PUBLIC KEY`); nil if it is not a P-256 key.
    public init?(pem: String) {
        guard let key = P256PublicKey(pem: pem) else { return nil }
        self.key = key
    }

    /// The key as `nrfutil keys display --format hex` prints it: 128 digits, X then Y, each with its least
    /// significant byte first. Nil if the text has another format or is not a point on the curve.
    public init?(hex: String) {
        guard let bytes = try? HexText.decode(hex) else { return nil }
        self.init(wire: bytes)
    }

    /// The 64 bytes that a bootloader holds: X then Y, each with its least significant byte first.
    public init?(wire bytes: [UInt8]) {
        guard bytes.count == 64,
            let key = P256PublicKey(x: bytes[..<32].reversed(), y: bytes[32...].reversed())
        else { return nil }
        self.key = key
    }

    /// SHA-256 of ``wireBytes``, to identify the key.
    public var fingerprint: [UInt8] { SHA256Digest.digest(wireBytes) }

    /// X then Y, each with its least significant byte first.
    public var wireBytes: [UInt8] {
        let point = key.point
        return point.prefix(32).reversed() + point.dropFirst(32).reversed()
    }

    /// Whether `signature` (r then s, each with its least significant byte first) signs `message`.
    public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        return key.verifies(r: signature[..<32].reversed(), s: signature[32...].reversed(), of: message)
    }

    /// Whether `signature` (r then s, each with its most significant byte first, as Legacy DFU has it) signs `message`.
    public func verifies(bigEndian signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        return key.verifies(r: signature[..<32], s: signature[32...], of: message)
    }
}
