import Bytes

/// The answer of a Marble beacon (README.md, On the air).
enum MarbleAnswer: Equatable, Sendable {
    /// This many bytes of the body are in flash.
    case holds(Int)
    /// The body is right.
    case right(UInt32)
    /// The image is for another board than the device's.
    case otherBoard(UInt32)
    /// There is space for this many bytes only.
    case noRoom(UInt32)
    /// The written value is not a header.
    case noHeader
    /// The body has this CRC-32, which is wrong.
    case wrong(UInt32)

    /// Nil for a value that no device of this kind sends.
    init?(_ value: [UInt8]) {
        var reader = ByteReader(value)
        guard let code: UInt8 = try? reader.integer("code"),
            let number: UInt32 = try? reader.integer("number", .big), reader.remaining == 0
        else { return nil }
        switch code {
        case 0x00: self = .holds(Int(number))
        case 0x01: self = .right(number)
        case 0xE1: self = .otherBoard(number)
        case 0xE2: self = .noRoom(number)
        case 0xE3: self = .noHeader
        case 0xE4: self = .wrong(number)
        default: return nil
        }
    }
}
