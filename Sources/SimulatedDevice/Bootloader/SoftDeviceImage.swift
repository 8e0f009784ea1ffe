import ByteCoding

/// What a SoftDevice's image says about itself; the image begins at 0x1000 in flash, the structure at
/// 0x3000 (docs/formats/init-packet.md).
///
///     0x2004  4  magic 51B1E5DB
///     0x200C  2  FWID
struct SoftDeviceImage {
    let firmwareID: UInt16

    init?(_ image: [UInt8]) {
        var reader = ByteReader(image)
        guard (try? reader.bytes("code", 0x2004)) != nil,
            (try? reader.integer("magic", as: UInt32.self)) == 0x51B1_E5DB,
            (try? reader.bytes("sizes", 4)) != nil,
            let number = try? reader.integer("FWID", as: UInt16.self)
        else { return nil }
        firmwareID = number
    }
}
