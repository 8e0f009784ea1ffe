import Bytes

/// The last 16 bytes of a file for DFU over USB (Device Firmware Upgrade 1.1, appendix B).
///
///      0  2  device's release      6  2  version of the format
///      2  2  product               8  3  55 46 44, "UFD"
///      4  2  vendor               11  1  length, 16
///     12  4  CRC-32 of all bytes before it, without the final inversion
struct USBSuffix {
    /// Recognises it by mark, length and checksum; nil if the file ends with something else.
    init?(endOf file: [UInt8]) {
        guard file.count > 16 else { return nil }
        var reader = ByteReader(file.suffix(8), startingAt: file.count - 8)
        guard (try? Self.isSuffix(&reader, crc: ~CRC32.checksum(file.dropLast(4)))) == true else {
            return nil
        }
    }

    private static func isSuffix(_ reader: inout ByteReader, crc: UInt32) throws(ByteError) -> Bool {
        let mark = Array(try reader.bytes("mark", 3))
        let length: UInt8 = try reader.integer("length")
        let found: UInt32 = try reader.integer("CRC-32")
        return mark == [0x55, 0x46, 0x44] && length == 16 && found == crc
    }
}
