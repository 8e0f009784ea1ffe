import Bytes

/// The images that a Feasycom beacon accepts, and their versions, which the payload does not contain.
package enum FBeaconImages: Hashable, Sendable {
    /// Any image is accepted, as this version. Its end in the last block is unknown: padding is installed, too.
    case any(version: UInt16)
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
package struct FBeaconImage: Hashable, Sendable {
    /// Its size in bytes, without padding; with the opening byte `C`, also without the preamble, which is not sent.
    let length: Int
    let checksum: UInt16
    let version: UInt16
}

extension FBeaconImage {
    package init(_ bytes: [UInt8], version: UInt16) {
        self.init(length: bytes.count, checksum: CRC16.checksum(bytes), version: version)
    }

    /// Whether `stream` is this image, one byte 0x1A, and no more zeros than fill the last block.
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
