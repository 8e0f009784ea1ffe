package import Bytes

/// What a Legacy packager notes in the manifest, after the names of files.
///
///     "sd_size": n, "bl_size": n                 of `softdevice_bootloader`: sent to the device
///     "init_packet_data": { "<field>": … }       a copy of the `.dat`'s fields; informational only
package struct LegacyNotes: Hashable, Sendable {
    package let bootloaderSize: Int?
    package let softdeviceSize: Int?
    package let initPacketData: [String: JSONValue]?

    /// The members of the object `init_packet_data`, which is only informational; empty for a value of another type.
    static func values(of data: JSONValue) -> [String: JSONValue] {
        guard case .object(let members) = data else { return [:] }
        return members.filter { $0.value != .null }.mapValues(\.comparable)
    }
}

extension JSONValue {
    /// The value with numbers as this program writes them, so that `82.0` and `82` are equal.
    fileprivate var comparable: JSONValue {
        switch self {
        case .number: number.map(JSONValue.number) ?? self
        case .list(let values): .list(values.map(\.comparable))
        default: self
        }
    }
}

extension LegacyInitPacket {
    /// The fields as nrfutil notes them; nil for fields that the generation does not have.
    var notes: [String: JSONValue?] {
        func number(_ value: (some BinaryInteger)?) -> JSONValue? { value.map { .integer($0) } }
        func text(_ bytes: [UInt8]?) -> JSONValue? { bytes.map { .text(HexText.encode($0)) } }
        return [
            "device_type": number(deviceType), "device_revision": number(deviceRevision),
            "application_version": number(applicationVersion),
            "softdevice_req": .list(softDeviceRequirements.map { .integer($0) }),
            "ext_packet_id": number(end.generation?.extensionID), "firmware_crc16": number(end.crc16),
            "firmware_length": number(end.length), "firmware_hash": text(end.digest),
            "init_packet_ecds": text(end.signature),
        ]
    }
}
