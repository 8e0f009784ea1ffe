import ByteCoding

/// Why Intel HEX text cannot be used: what is wrong, and in which line and column.
public struct HexError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The line does not begin with a colon.
        case noColon
        /// This is not a hexadecimal digit.
        case notHexadecimal
        /// The line has another number of digits than its record needs.
        case wrongLength(needed: Int, found: Int)
        /// The record's bytes do not add up to 0.
        case checksum(expected: UInt8, found: UInt8)
        /// The type is none of 00 to 05.
        case unknownType(UInt8)
        /// The type prescribes another number of data bytes.
        case wrongCount(type: UInt8, needed: Int, found: Int)
        /// Data runs out of its segment, or out of the address space.
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
        /// Data lies below the address from which the image is to begin.
        case belowStart(address: UInt32, start: UInt32)
        /// Data lies at an address where no flash of the family is.
        case outsideFlash(address: UInt32)
    }

    /// The line, from 1; 0 where the text as a whole is meant.
    public let line: Int
    /// The column, from 1; 0 where the line as a whole is meant.
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
    /// One line for people: line, column, and what is wrong.
    public var description: String {
        switch (line, column) {
        case (0, _): words
        case (_, 0): "line \(line): \(words)"
        default: "line \(line), column \(column): \(words)"
        }
    }

    private var words: String {
        switch reason {
        case .noColon: "a record begins with a colon"
        case .notHexadecimal: "this is not a hexadecimal digit"
        case .wrongLength(let needed, let found): "the record needs \(needed) digits and has \(found)"
        case .checksum(let expected, let found):
            "the checksum is \(HexText.digits(found)), the record has \(HexText.digits(expected))"
        case .unknownType(let type): "record type \(HexText.digits(type)) is not known"
        case .wrongCount(let type, let needed, let found):
            "a record of type \(HexText.digits(type)) has \(needed) bytes, this one has \(found)"
        case .beyondSegment: "the data runs out of its segment"
        case .noEnd: "the text ends without an end record"
        case .afterEnd: "something follows the end record"
        case .overlap(let address): "address \(HexText.number(address)) is given twice"
        case .tooLarge(let what, let bytes, let limit): "\(what): \(bytes) bytes, at most \(limit) allowed"
        case .noData: "there is no data"
        case .belowStart(let address, let start):
            "data at \(HexText.number(address)) lies below the start \(HexText.number(start))"
        case .outsideFlash(let address):
            "data at \(HexText.number(address)) is in no flash of these chips and could not be sent"
        }
    }
}
