package import Bytes

/// Notes of a Legacy packager in the manifest, in addition to the names of files.
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

/// The hardware that Adafruit's bootloader requires in an init packet: device type 0052, and for a SoftDevice or a
/// bootloader the revision of the chip (Adafruit_nRF52_Bootloader, `dfu_init.c`).
enum AdafruitHardware {
    static let deviceType: UInt16 = 0x0052

    /// The chip with this device revision, such as `nRF52840`; nil for a revision that Adafruit does not use.
    static func chip(ofRevision revision: UInt16) -> String? {
        switch revision {
        case 0xADAF: "nRF52832"
        case 52833: "nRF52833"
        case 52840: "nRF52840"
        default: nil
        }
    }

    /// The chips that fit the firmware revision `text` of the bootloader, which includes the installed SoftDevice:
    /// `0.8.0 s140 6.1.1`, earlier `S132 2.0.1, 0.5.0`. Nil if the text is not in Adafruit's format.
    static func chips(ofBootloaderSaying text: String) -> [String]? {
        let words = text.lowercased().split { $0 == " " || $0 == "," }
        if words.contains("s132") { return ["nRF52832"] }
        return words.contains("s140") ? ["nRF52833", "nRF52840"] : nil
    }
}
