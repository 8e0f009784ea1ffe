/// Why a byte string could not be parsed: the reason, the offset and the field.
public struct ByteError: Error, Equatable, Sendable {
    /// What was wrong.
    public enum Reason: Equatable, Sendable {
        /// The field needs more bytes than are left.
        case truncated(needed: Int, available: Int)
        /// The field does not have the value that the format prescribes.
        case mismatch(expected: UInt64, found: UInt64)
        /// The field is longer than its format allows.
        case tooLong(limit: Int, found: Int)
        /// Bytes are left where the format ends.
        case trailing(count: Int)
        /// The text is not a hexadecimal byte string.
        case notHexadecimal
    }

    /// Bytes from the start of the whole file or packet to the field.
    public let offset: Int
    /// The field's name in the format's documentation.
    public let field: String
    /// What was wrong.
    public let reason: Reason

    /// An error in `field`, which starts at `offset`.
    public init(offset: Int, field: String, reason: Reason) {
        self.offset = offset
        self.field = field
        self.reason = reason
    }
}

extension ByteError: CustomStringConvertible {
    /// One line for people: the field, its offset and the reason.
    public var description: String {
        let place = "\(field) at offset \(offset)"
        switch reason {
        case .truncated(let needed, let available):
            return "\(place): \(needed) bytes needed, \(available) left"
        case .mismatch(let expected, let found):
            return "\(place): \(HexText.number(expected)) expected, \(HexText.number(found)) found"
        case .tooLong(let limit, let found):
            return "\(place): \(found) bytes, at most \(limit) allowed"
        case .trailing(let count):
            return "\(place): \(count) bytes too many"
        case .notHexadecimal:
            return "\(place): not hexadecimal"
        }
    }
}
