/// Why Intel HEX text cannot be used, with line and column.
public struct HexError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The line does not begin with a colon.
        case noColon
        /// The character is not a hexadecimal digit.
        case notHexadecimal
        /// The line does not have the number of digits that its record requires.
        case wrongLength(needed: Int, found: Int)
        /// The record's bytes do not add up to 0.
        case checksum(expected: UInt8, found: UInt8)
        /// The type is not one of 00 to 05.
        case unknownType(UInt8)
        /// The type requires another number of data bytes.
        case wrongCount(type: UInt8, needed: Int, found: Int)
        /// Data extends beyond its segment, or beyond the address space.
        case beyondSegment
        /// The text ends without an end record.
        case noEnd
        /// Something follows the end record.
        case afterEnd
        /// A byte is given twice.
        case overlap(address: UInt32)
        /// The text, its data or the flattened image is larger than allowed.
        case tooLarge(what: String, bytes: Int, limit: Int)
        /// There is no data.
        case noData
        /// Data is below the address at which the image begins.
        case belowStart(address: UInt32, start: UInt32)
        /// Data is outside the flash of the family.
        case outsideFlash(address: UInt32)
    }

    /// The line, from 1; 0 if the error concerns the whole text.
    public let line: Int
    /// The column, from 1; 0 if the error concerns the whole line.
    public let column: Int
    /// What is wrong.
    public let reason: Reason

    init(line: Int = 0, column: Int = 0, _ reason: Reason) {
        self.line = line
        self.column = column
        self.reason = reason
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
}

extension HexError: CustomStringConvertible {
    /// One line for people: line, column, and the error.
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
