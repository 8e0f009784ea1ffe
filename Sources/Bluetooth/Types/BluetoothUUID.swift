import Bytes

/// A Bluetooth UUID: 16 bits of the Bluetooth base, or 128 bits of a vendor.
///
/// Vol 3, Part B, 2.5.1: a 16-bit UUID `xxxx` means `0000xxxx-0000-1000-8000-00805F9B34FB`. The two forms of
/// one UUID are equal.
public struct BluetoothUUID: Hashable, Sendable {
    /// The 16 bytes, most significant first, as the text form shows them.
    public let bytes: [UInt8]

    private static let base: [UInt8] = [
        0, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0x80, 0x5F, 0x9B, 0x34, 0xFB,
    ]

    /// The UUID of the 16-bit number `short`.
    public init(_ short: UInt16) {
        var bytes = Self.base
        bytes[2] = UInt8(short >> 8)
        bytes[3] = UInt8(short & 0xFF)
        self.bytes = bytes
    }

    /// The UUID of the 32-bit number `number`: `xxxxxxxx-0000-1000-8000-00805F9B34FB`. Only advertising data
    /// has this form; attributes have the long one (Vol 3, Part F, 3.2.1).
    public init(number: UInt32) {
        bytes = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } + Self.base.dropFirst(4)
    }

    /// A UUID in transmission order: 2 or 16 bytes, least significant first. Nil for any other length.
    public init?(wire: some Collection<UInt8>) {
        switch wire.count {
        case 2: self.init(wire.reversed().reduce(0) { $0 << 8 | UInt16($1) })
        case 16: self.init(bytes: wire.reversed())
        default: return nil
        }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Parses `8EC90001-F315-4F60-9FB8-838830DAEA50` or `FE59`.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 1 || parts.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
        let digits = parts.joined()
        guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        switch digits.count {
        case 4:
            guard let short = UInt16(digits, radix: 16) else { return nil }
            self.init(short)
        case 32:
            guard let high = UInt64(digits.prefix(16), radix: 16),
                let low = UInt64(digits.suffix(16), radix: 16)
            else { return nil }
            self.init(high: high, low: low)
        default: return nil
        }
    }

    /// The UUID whose text form is the digits of `high` and then of `low`.
    public init(high: UInt64, low: UInt64) {
        bytes = [high, low].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) }
        }
    }

    /// The 16-bit form, if the UUID has one.
    public var short: UInt16? {
        var masked = bytes
        masked[2] = 0
        masked[3] = 0
        return masked == Self.base ? UInt16(bytes[2]) << 8 | UInt16(bytes[3]) : nil
    }

    /// The bytes in transmission order, least significant first: 2 for a 16-bit form, otherwise 16.
    public var wire: [UInt8] {
        short.map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } ?? bytes.reversed()
    }
}

extension BluetoothUUID: CustomStringConvertible {
    /// `FE59`, or the long form in upper case.
    public var description: String {
        func hex(_ range: Range<Int>) -> String {
            bytes[range].map { HexText.digits($0, uppercase: true) }.joined()
        }
        if short != nil { return hex(2..<4) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map(hex).joined(separator: "-")
    }
}
