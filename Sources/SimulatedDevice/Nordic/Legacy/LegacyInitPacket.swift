import ByteCoding

/// An init packet as a Legacy bootloader reads it (docs/formats/nordic-legacy.md, Layout), written apart from the
/// reader of packages on purpose.
struct LegacyInitPacket: Hashable, Sendable {
    let type: UInt16
    let revision: UInt16
    let version: UInt32
    let softDevices: [UInt16]
    /// What follows the list, filled up with zeros to whole words by the way it was received.
    let `extension`: [UInt8]
    /// The bytes before the extension.
    let head: [UInt8]

    /// Fits every SoftDevice.
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

    /// A number in the extension; nil after its end.
    func number(at offset: Int, _ width: Int) -> UInt32? {
        let bytes = `extension`.dropFirst(offset).prefix(width)
        return bytes.count == width ? bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } : nil
    }

    /// What the extension says it is.
    var identifier: UInt32? { number(at: 0, 4) }
    /// The hash in an extension that has one.
    var hash: ArraySlice<UInt8> { `extension`.dropFirst(8).prefix(32) }
    /// The signature after it: r, s.
    var signature: ArraySlice<UInt8> { `extension`.dropFirst(40).prefix(64) }
    /// What is signed.
    var signed: [UInt8] { head + `extension`.prefix(40) }
}
