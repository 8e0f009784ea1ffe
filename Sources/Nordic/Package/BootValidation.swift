/// How the bootloader checks an image at every start (SDK 15.3 and later).
public struct BootValidation: Hashable, Sendable {
    /// 0: none, 1: a CRC, 2: a SHA-256 (both computed by the bootloader), 3: an ECDSA P-256 signature.
    public let type: UInt32
    /// For type 3 the signature over the image, each half with its least significant byte first; otherwise empty.
    public let bytes: [UInt8]

    /// A check of this type, with the bytes that it compares.
    public init(type: UInt32, bytes: [UInt8] = []) {
        self.type = type
        self.bytes = bytes
    }

    /// The name in JSON output, or the number if the type has no name.
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
