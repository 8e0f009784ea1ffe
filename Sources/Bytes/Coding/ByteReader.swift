/// Reads fields off the front of a byte string, and tracks their offsets.
public struct ByteReader: Sendable {
    private var rest: ArraySlice<UInt8>
    /// The difference between an offset in the whole file and an index of the slice.
    private let base: Int

    public init(_ bytes: [UInt8]) { self.init(bytes[...], startingAt: 0) }

    /// A reader of a part that begins `offset` bytes into the whole file.
    public init(_ slice: ArraySlice<UInt8>, startingAt offset: Int) {
        rest = slice
        base = offset - slice.startIndex
    }

    /// Bytes from the start of the whole file to the next field.
    public var offset: Int { rest.startIndex + base }

    public var remaining: Int { rest.count }

    public mutating func bytes(_ field: StaticString, _ count: Int) throws(ByteError) -> ArraySlice<UInt8> {
        guard (0...rest.count).contains(count) else {
            throw ByteError(
                offset: offset, field: field.description,
                reason: .truncated(needed: count, available: rest.count))
        }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    public mutating func remainder() -> ArraySlice<UInt8> {
        defer { rest = rest.dropFirst(rest.count) }
        return rest
    }

    /// The next integer, as wide as `T`, at most 64 bits.
    @inlinable public mutating func integer<T: FixedWidthInteger & UnsignedInteger>(
        _ field: StaticString, as type: T.Type = T.self, _ order: ByteOrder = .little
    ) throws(ByteError) -> T {
        T(truncatingIfNeeded: try number(field, T.bitWidth / 8, order))
    }

    /// The number in the next `count` bytes, at most eight. Not generic, because calls of generic code from other modules
    /// are slow.
    @usableFromInline package mutating func number(
        _ field: StaticString, _ count: Int, _ order: ByteOrder
    ) throws(ByteError) -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        for byte in try bytes(field, count) {
            number = order == .big ? number << 8 | UInt64(byte) : number | UInt64(byte) << shift
            shift += 8
        }
        return number
    }

    /// Requires an integer with the value that the format prescribes.
    @inlinable package mutating func expect<T: FixedWidthInteger & UnsignedInteger>(
        _ value: T, _ field: StaticString, _ order: ByteOrder = .little
    ) throws(ByteError) {
        let start = offset
        let found: T = try integer(field, order)
        guard found == value else {
            throw ByteError(
                offset: start, field: field.description,
                reason: .mismatch(expected: UInt64(value), found: UInt64(found)))
        }
    }

    /// A reader confined to the next `count` bytes; its offsets still count from the whole file.
    public mutating func nested(_ field: StaticString, _ count: Int) throws(ByteError) -> ByteReader {
        let start = offset
        return ByteReader(try bytes(field, count), startingAt: start)
    }

    /// Requires that no bytes are left where the format ends.
    public func end(of field: StaticString) throws(ByteError) {
        guard rest.isEmpty else {
            throw ByteError(offset: offset, field: field.description, reason: .trailing(count: rest.count))
        }
    }
}

public struct ByteWriter: Sendable {
    public private(set) var bytes: [UInt8] = []

    public init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    public mutating func integer<T: FixedWidthInteger & UnsignedInteger>(
        _ value: T, _ order: ByteOrder = .little
    ) {
        let ordered = order == .little ? value.littleEndian : value.bigEndian
        withUnsafeBytes(of: ordered) { bytes.append(contentsOf: $0) }
    }

    public mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    public func bytes(_ order: ByteOrder = .little) -> [UInt8] {
        withUnsafeBytes(of: order == .little ? littleEndian : bigEndian) { Array($0) }
    }
}

public enum ByteOrder: Sendable {
    /// Least significant byte first, used by Bluetooth and most of the formats here.
    case little
    case big
}
