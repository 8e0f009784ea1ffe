import Bytes

/// The images that a Feasycom beacon accepts, and their versions, which the payload does not contain.
public enum FBeaconImages: Hashable, Sendable {
    /// Any image, which gets this version. Its end within the last block is unknown, so it is installed with its
    /// padding.
    case any(version: UInt16)
    /// Only these images.
    case known([FBeaconImage])

    /// The image that `stream`, a sequence of whole blocks, contains; nil if it is not accepted.
    func image(in stream: [UInt8]) -> FBeaconImage? {
        switch self {
        case .any(let version): FBeaconImage(stream, version: version)
        case .known(let images): images.first { $0.isPadded(to: stream) }
        }
    }
}

/// An image that a Feasycom beacon knows in advance.
public struct FBeaconImage: Hashable, Sendable {
    /// Its bytes, without padding. With the opening byte `C`, only the bytes that are sent: the payload without its
    /// preamble.
    public var length: Int
    /// The CRC-16/XMODEM of these bytes.
    public var checksum: UInt16
    /// Its version.
    public var version: UInt16

    /// An image identified by length and CRC.
    public init(length: Int, checksum: UInt16, version: UInt16) {
        self.length = length
        self.checksum = checksum
        self.version = version
    }

    /// The image of these bytes.
    public init(_ bytes: [UInt8], version: UInt16) {
        self.init(length: bytes.count, checksum: CRC16.checksum(bytes), version: version)
    }

    /// Whether `stream` is this image, one byte 1A, and no more zeros than fill the last block.
    func isPadded(to stream: [UInt8]) -> Bool {
        guard length > 0, length <= stream.count, stream.count - length < FBeaconTransfer.blockSize else {
            return false
        }
        let padding = stream[length...]
        return CRC16.checksum(stream[..<length]) == checksum
            && (padding.first.map { $0 == FBeaconControl.padding } ?? true)
            && padding.dropFirst().allSatisfy { $0 == 0 }
    }
}
