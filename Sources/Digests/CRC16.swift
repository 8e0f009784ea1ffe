/// CRC-16/XMODEM (polynomial 1021, start 0, not reflected, no final XOR), fed in pieces.
///
/// The check value of the ASCII text `123456789` is 31C3.
public struct CRC16: Hashable, Sendable {
    /// The checksum of everything fed so far.
    public private(set) var value: UInt16 = 0

    /// The checksum of nothing yet.
    public init() {}

    /// Feeds more bytes.
    public mutating func update(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = value << 8 ^ Self.table[Int(UInt8(value >> 8) ^ byte)] }
    }

    /// The checksum of `bytes` in one go.
    public static func checksum(_ bytes: some Sequence<UInt8>) -> UInt16 {
        var digest = CRC16()
        digest.update(bytes)
        return digest.value
    }

    private static let table: [UInt16] = (0..<256).map { index in
        (0..<8).reduce(UInt16(index) << 8) { value, _ in
            value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x1021
        }
    }
}
