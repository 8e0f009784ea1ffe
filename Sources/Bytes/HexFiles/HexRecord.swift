/// One line of Intel HEX (intel-hex.md, Layout).
///
///     :  colon
///     2  digits: count of data bytes
///     4  offset, big-endian
///     2  type
///     2n data
///     2  checksum: all bytes add up to 0
struct HexRecord: Equatable, Sendable {
    enum Kind: UInt8, Sendable {
        case data = 0
        case end = 1
        case segmentBase = 2
        case segmentStart = 3
        case linearBase = 4
        case linearStart = 5

        /// The number of data bytes that the type requires; nil for any.
        var count: Int? {
            switch self {
            case .data: nil
            case .end: 0
            case .segmentBase, .linearBase: 2
            case .segmentStart, .linearStart: 4
            }
        }
    }

    let kind: Kind
    let offset: UInt16
    let data: [UInt8]

    /// The data of the types that hold one number.
    var number: UInt32 { data.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }

    /// Parses a line without its line end; `line` is its number, for errors.
    init(parsing text: ArraySlice<UInt8>, line: Int) throws(HexError) {
        guard text.first == UInt8(ascii: ":") else { throw HexError(line: line, column: 1, .noColon) }
        let digits = text.dropFirst()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for index in digits.indices {
            guard let digit = Self.value(digits[index]) else {
                throw HexError(line: line, column: index - text.startIndex + 1, .notHexadecimal)
            }
            if let first = high { bytes.append(first << 4 | digit) }
            high = high == nil ? digit : nil
        }
        let needed = 10 + 2 * Int(bytes.first ?? 0)
        guard digits.count == needed else {
            throw HexError(line: line, column: 2, .wrongLength(needed: needed, found: digits.count))
        }
        let sum = bytes.dropLast().reduce(0, &+)
        guard let checksum = bytes.last, checksum == 0 &- sum else {
            throw HexError(
                line: line, column: digits.count, .checksum(expected: 0 &- sum, found: bytes.last ?? 0))
        }
        guard let kind = Kind(rawValue: bytes[3]) else {
            throw HexError(line: line, column: 8, .unknownType(bytes[3]))
        }
        self.kind = kind
        offset = UInt16(bytes[1]) << 8 | UInt16(bytes[2])
        data = Array(bytes[4..<bytes.count - 1])
        guard kind.count ?? data.count == data.count else {
            throw HexError(
                line: line, column: 2,
                .wrongCount(type: kind.rawValue, needed: kind.count ?? 0, found: data.count))
        }
    }

    /// The value of a hexadecimal digit; nil for other characters.
    static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
