import ByteCoding

/// Recognises the init packet of Legacy DFU, so that the file can be named for what it is.
///
///      0     2  device type
///      2     2  device revision
///      4     4  application version
///      8     2  n, number of SoftDevice ids
///     10    2n  SoftDevice ids
///     then      2 CRC16 | 6 with u32 0 | 40 with u32 1 | 104 with u32 2
///
/// (nRF5 SDK 11, `dfu_init.h`.)
enum LegacyInitLayout {
    static func fits(_ bytes: [UInt8]) -> Bool {
        var reader = ByteReader(bytes)
        guard (try? reader.bytes("device and application", 8)) != nil,
            let count: UInt16 = try? reader.integer("number of SoftDevices"), count <= 16,
            (try? reader.bytes("SoftDevices", 2 * Int(count))) != nil
        else { return false }
        return [2, 6, 40, 104].contains(reader.remaining)
    }
}
