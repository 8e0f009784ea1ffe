/// The hash algorithm of an image, by the number in its init packet.
public struct HashType: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: UInt32

    /// The type with this number, known or not.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// 3, SHA-256: the only one that bootloaders accept.
    public static let sha256 = HashType(rawValue: 3)

    /// The name in JSON output, or the number if the type has no name.
    public var name: String {
        switch rawValue {
        case 0: "none"
        case 1: "crc"
        case 2: "sha128"
        case 3: "sha256"
        case 4: "sha512"
        default: String(rawValue)
        }
    }
}
