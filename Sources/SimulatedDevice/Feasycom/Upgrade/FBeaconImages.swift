import Digests

/// Which images a Feasycom beacon takes, and which version each is: the payload that comes does not say it.
public enum FBeaconImages: Hashable, Sendable {
    /// Whatever comes, which is this version. Where it ends in the last block is not known, so that it is installed
    /// with its padding.
    case any(version: UInt16)
    /// These alone.
    case known([FBeaconImage])

    /// What `stream`, which has whole blocks, is; nil for nothing that is taken.
    func image(in stream: [UInt8]) -> FBeaconImage? {
        switch self {
        case .any(let version): FBeaconImage(stream, version: version)
        case .known(let images): images.first { $0.isPadded(to: stream) }
        }
    }
}

/// An image that a Feasycom beacon knows before it comes.
public struct FBeaconImage: Hashable, Sendable {
    /// Its bytes, without padding. With the opening byte `C` those that are sent: the payload without its preamble.
    public var length: Int
    /// The CRC-16/XMODEM of these bytes.
    public var checksum: UInt16
    /// The version that it is.
    public var version: UInt16

    /// An image that is known by length and CRC.
    public init(length: Int, checksum: UInt16, version: UInt16) {
        self.length = length
        self.checksum = checksum
        self.version = version
    }

    /// The image of these bytes.
    public init(_ bytes: [UInt8], version: UInt16) {
        self.init(length: bytes.count, checksum: CRC16.checksum(bytes), version: version)
    }

    /// Whether `stream` is this image, one 1A, and zeros: no more of them than fill the last block.
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
