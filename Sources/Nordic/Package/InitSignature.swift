/// The signature over an init command in the packet.
public struct InitSignature: Hashable, Sendable {
    /// 0 is ECDSA P-256 over SHA-256, the only one that bootloaders accept; 1 would be Ed25519.
    public let type: UInt32
    /// r then s, 32 bytes each, each with its least significant byte first.
    public let bytes: [UInt8]

    /// The name in JSON output, or the number if the type has no name.
    public var typeName: String {
        switch type {
        case 0: "ecdsa-p256-sha256"
        case 1: "ed25519"
        default: String(type)
        }
    }
}
