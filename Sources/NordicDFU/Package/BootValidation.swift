/// How the bootloader is to check an image at every start (SDK 15.3 and later).
public struct BootValidation: Hashable, Sendable {
    /// 0 nothing, 1 a CRC and 2 a SHA-256 that the device makes itself, 3 an ECDSA P-256 signature.
    public let type: UInt32
    /// Empty, except for type 3: the signature over the image, halves least significant byte first.
    public let bytes: [UInt8]

    /// The check of this type, with what it compares.
    public init(type: UInt32, bytes: [UInt8] = []) {
        self.type = type
        self.bytes = bytes
    }

    /// The name in JSON output; the number for a type without one.
    public var name: String {
        switch type {
        case 0: "none"
        case 1: "crc"
        case 2: "sha256"
        case 3: "ecdsa-p256-sha256"
        default: String(type)
        }
    }
}
