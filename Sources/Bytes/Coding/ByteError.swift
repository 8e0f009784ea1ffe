/// Why a byte string could not be parsed: the reason, the offset and the field.
public struct ByteError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Reason: Equatable, Sendable {
        case truncated(needed: Int, available: Int)
        case mismatch(expected: UInt64, found: UInt64)
        case tooLong(limit: Int, found: Int)
        case trailing(count: Int)
        case notHexadecimal
    }

    /// Bytes from the start of the whole file or packet to the field.
    public let offset: Int
    /// The field's name in the format's documentation.
    public let field: String
    public let reason: Reason

    public init(offset: Int, field: String, reason: Reason) {
        (self.offset, self.field, self.reason) = (offset, field, reason)
    }

    public var description: String {
        let words =
            switch reason {
            case .truncated(let needed, let available): "\(needed) bytes needed, \(available) left"
            case .mismatch(let expected, let found):
                "\(HexText.number(expected)) expected, \(HexText.number(found)) found"
            case .tooLong(let limit, let found): "\(found) bytes, at most \(limit) allowed"
            case .trailing(let count): "\(count) bytes too many"
            case .notHexadecimal: "not hexadecimal"
            }
        return "\(field) at offset \(offset): \(words)"
    }
}
