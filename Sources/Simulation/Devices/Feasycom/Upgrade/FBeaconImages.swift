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

/// How a Feasycom beacon enters an update (fbeacon.md, Entering).
package struct FBeaconEntry: Hashable, Sendable {
    /// The digit of EnterDFU, 0 or 1, that restores the default settings after the update; nil if neither does. Public
    /// sources disagree.
    package var restoringDigit: UInt8?
    /// That digit in the mark of open containers: an ASCII character, or 0 for none.
    var restoringCharacter: UInt8 { restoringDigit.map { $0 + 0x30 } ?? 0 }
    /// The response that refuses to enter an update; nil to enter.
    package var refusal: String?
    /// How many bytes of its response it sends; nil for all. After an incomplete response it does not enter an update.
    package var length: Int?
    /// The version and the model in the response; nil for the real ones.
    package var version: UInt16?
    package var model: UInt16?
    /// Whether the update continues over the same link; nil if that depends on the model.
    package var staysConnected: Bool?
    /// How long it waits for the client to end the link, if the update needs a new one, before it ends the link itself.
    package var linkEndsAfter = Duration.seconds(2)

    /// The models whose updates continue over the same link.
    static let stayingModels: Set<UInt8> = [12, 15, 19, 20, 23, 24, 32, 34, 37, 40, 47, 49, 50]

    /// `OK`, and three fields of four hexadecimal digits, each low byte first.
    func answer(version: UInt16, bootloader: UInt16, model: UInt16) -> String {
        [self.version ?? version, bootloader, self.model ?? model].reduce("OK,") { text, field in
            text + field.bytes().reduce("") { $0 + Self.digits($1 >> 4) + Self.digits($1 & 15) }
        }
    }

    private static func digits(_ nibble: UInt8) -> String { String(nibble, radix: 16, uppercase: true) }
}
