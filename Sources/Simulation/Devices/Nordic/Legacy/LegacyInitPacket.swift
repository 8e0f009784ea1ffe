import Bytes

/// An init packet as a Legacy bootloader reads it (docs/formats/nordic-legacy.md, Layout); deliberately separate from
/// the reader of packages.
struct LegacyInitPacket: Hashable, Sendable {
    let type: UInt16
    let revision: UInt16
    let version: UInt32
    let softDevices: [UInt16]
    /// The bytes after the list, padded with zeros to whole words during reception.
    let `extension`: [UInt8]
    /// The bytes before the extension.
    let head: [UInt8]

    /// Matches every SoftDevice.
    static let anySoftDevice: UInt16 = 0xFFFE

    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        do {
            type = try reader.integer("device_type")
            revision = try reader.integer("device_revision")
            version = try reader.integer("application_version")
            let count = try reader.integer("count", as: UInt16.self)
            var list: [UInt16] = []
            for _ in 0..<count { list.append(try reader.integer("softdevice_req")) }
            softDevices = list
        } catch { return nil }
        `extension` = Array(reader.remainder())
        head = Array(bytes.dropLast(`extension`.count))
    }

    /// A number in the extension; nil past its end.
    func number(at offset: Int, _ width: Int) -> UInt32? {
        let bytes = `extension`.dropFirst(offset).prefix(width)
        return bytes.count == width ? bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } : nil
    }

    /// The identifier of the extension.
    var identifier: UInt32? { number(at: 0, 4) }
    /// The hash of an extension with a hash.
    var hash: ArraySlice<UInt8> { `extension`.dropFirst(8).prefix(32) }
    /// The signature after the hash: r, s.
    var signature: ArraySlice<UInt8> { `extension`.dropFirst(40).prefix(64) }
    /// The signed bytes.
    var signed: [UInt8] { head + `extension`.prefix(40) }
}
