/// Why Intel HEX text cannot be used, with line and column.
public struct HexError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        case noColon, notHexadecimal
        case wrongLength(needed: Int, found: Int)
        case checksum(expected: UInt8, found: UInt8)
        /// The type is not one of 00 to 05.
        case unknownType(UInt8)
        case wrongCount(type: UInt8, needed: Int, found: Int)
        /// Data extends beyond its segment, or beyond the address space.
        case beyondSegment
        case noEnd, afterEnd
        case overlap(address: UInt32)
        /// The text, its data or the flattened image is larger than allowed.
        case tooLarge(what: String, bytes: Int, limit: Int)
        case noData
        case belowStart(address: UInt32, start: UInt32)
        case outsideFlash(address: UInt32)
    }

    /// The line, from 1; 0 if the error concerns the whole text.
    public let line: Int
    /// The column, from 1; 0 if the error concerns the whole line.
    public let column: Int
    public let reason: Reason

    init(line: Int = 0, column: Int = 0, _ reason: Reason) {
        (self.line, self.column, self.reason) = (line, column, reason)
    }

    /// A stable name in kebab-case for scripts and for `explain`.
    public var code: String {
        switch reason {
        case .checksum: "hex-checksum-mismatch"
        case .noEnd: "hex-truncated"
        case .overlap: "hex-overlap"
        case .tooLarge: "hex-too-large"
        case .noData, .belowStart: "hex-region-missing"
        case .outsideFlash: "hex-outside-flash"
        default: "hex-malformed"
        }
    }

    public var description: String {
        switch (line, column) {
        case (0, _): words
        case (_, 0): "line \(line): \(words)"
        default: "line \(line), column \(column): \(words)"
        }
    }

    private var words: String {
        switch reason {
        case .noColon: "a record must begin with a colon"
        case .notHexadecimal: "not a hexadecimal digit"
        case .wrongLength(let needed, let found): "the record needs \(needed) digits but has \(found)"
        case .checksum(let expected, let found):
            "the record's checksum is \(HexText.digits(found)), but its bytes give \(HexText.digits(expected))"
        case .unknownType(let type): "record type \(HexText.digits(type)) is unknown"
        case .wrongCount(let type, let needed, let found):
            "a record of type \(HexText.digits(type)) needs \(needed) bytes, this one has \(found)"
        case .beyondSegment: "the data extends beyond its segment"
        case .noEnd: "the text ends without an end record"
        case .afterEnd: "something follows the end record"
        case .overlap(let address): "address \(HexText.number(address)) is defined twice"
        case .tooLarge(let what, let bytes, let limit): "\(what): \(bytes) bytes, at most \(limit) allowed"
        case .noData: "there is no data"
        case .belowStart(let address, let start):
            "data at \(HexText.number(address)) is below the start \(HexText.number(start))"
        case .outsideFlash(let address):
            "data at \(HexText.number(address)) is outside the flash of these chips and cannot be sent"
        }
    }
}
