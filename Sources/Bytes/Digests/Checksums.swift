import CZlib

/// CRC-32/IEEE (reflected polynomial 0xEDB88320), fed in pieces; zlib computes it.
///
/// The check value of the ASCII text `123456789` is 0xCBF43926.
public struct CRC32: Hashable, Sendable {
    public private(set) var value: UInt32

    public static var libraryVersion: String { String(cString: zlibVersion()) }

    public init(continuing value: UInt32 = 0) { self.value = value }

    public mutating func update(_ bytes: ArraySlice<UInt8>) {
        // An empty buffer may have no address, and zlib restarts the checksum if the address is nil.
        guard !bytes.isEmpty else { return }
        value = bytes.withUnsafeBufferPointer { UInt32(crc32_z(UInt(value), $0.baseAddress, $0.count)) }
    }

    public static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var digest = CRC32()
        digest.update(bytes)
        return digest.value
    }

    public static func checksum(_ bytes: [UInt8]) -> UInt32 { checksum(bytes[...]) }
}

/// CRC-16 with polynomial 0x1021, not reflected, without a final XOR, fed in pieces.
///
/// From 0, the default start value, this is CRC-16/XMODEM: the check value of the ASCII text `123456789` is
/// 0x31C3. From 0xFFFF it is CRC-16/CCITT-FALSE: 0x29B1.
public struct CRC16: Hashable, Sendable {
    public private(set) var value: UInt16

    public init(continuing value: UInt16 = 0) { self.value = value }

    public mutating func update(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = value << 8 ^ Self.table[Int(UInt8(value >> 8) ^ byte)] }
    }

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

/// The XOR of all bytes, fed in pieces: the check of older Dialog receivers.
public struct XORChecksum: Hashable, Sendable {
    public private(set) var value: UInt8 = 0

    public init() {}

    public mutating func update(_ bytes: ArraySlice<UInt8>) {
        value = bytes.withUnsafeBufferPointer { $0.reduce(value, ^) }
    }

    public static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        var digest = XORChecksum()
        digest.update(bytes)
        return digest.value
    }
}
