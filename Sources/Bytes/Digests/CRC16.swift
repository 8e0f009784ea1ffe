/// CRC-16 with polynomial 1021, not reflected, without a final XOR, fed in pieces.
///
/// From 0, the default start value, this is CRC-16/XMODEM: the check value of the ASCII text `123456789` is
/// 31C3. From FFFF it is CRC-16/CCITT-FALSE: 29B1.
public struct CRC16: Hashable, Sendable {
    /// The checksum of everything fed so far.
    public private(set) var value: UInt16

    /// The checksum of nothing yet, or one that continues from `value`.
    public init(continuing value: UInt16 = 0) { self.value = value }

    /// Feeds more bytes.
    public mutating func update(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = value << 8 ^ Self.table[Int(UInt8(value >> 8) ^ byte)] }
    }

    /// The checksum of `bytes` in one go.
    public static func checksum(_ bytes: some Sequence<UInt8>, from start: UInt16 = 0) -> UInt16 {
        var digest = CRC16(continuing: start)
        digest.update(bytes)
        return digest.value
    }

    private static let table: [UInt16] = (0..<256).map { index in
        (0..<8).reduce(UInt16(index) << 8) { value, _ in
            value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x1021
        }
    }
}
