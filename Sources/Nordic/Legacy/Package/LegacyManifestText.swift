import Bytes

/// `manifest.json` of a Legacy package as nrfutil 0.5 writes it: sorted keys, four spaces for each level, no line end
/// after the last brace. nrfutil's reader refuses unknown keys, so none are added.
struct LegacyManifestText {
    let dfuVersion: String
    let parts: [(part: RecipePart, initPacket: LegacyInitPacket)]

    var text: String {
        var members = ["dfu_version": JSONValue.number(dfuVersion)]
        for (part, packet) in parts { members[part.role.rawValue] = Self.node(part, packet) }
        return JSONValue.object(["manifest": .object(members)]).indented()
    }

    private static func node(_ part: RecipePart, _ packet: LegacyInitPacket) -> JSONValue {
        var members: [String: JSONValue] = [
            "bin_file": .text(part.binFile), "dat_file": .text(part.datFile),
            "init_packet_data": node(packet),
        ]
        if part.role == .softdeviceBootloader {
            members["sd_size"] = .integer(part.softDeviceSize)
            members["bl_size"] = .integer(part.image.count - part.softDeviceSize)
        }
        return .object(members)
    }

    private static func node(_ packet: LegacyInitPacket) -> JSONValue {
        var members: [String: JSONValue] = [
            "application_version": .integer(packet.applicationVersion),
            "device_revision": .integer(packet.deviceRevision),
            "device_type": .integer(packet.deviceType),
            "softdevice_req": .list(packet.softDeviceRequirements.map { .integer($0) }),
        ]
        members["ext_packet_id"] = packet.end.generation?.extensionID.map { .integer($0) }
        members["firmware_crc16"] = packet.end.crc16.map { .integer($0) }
        members["firmware_length"] = packet.end.length.map { .integer($0) }
        members["firmware_hash"] = packet.end.digest.map { .text(HexText.encode($0)) }
        members["init_packet_ecds"] = packet.end.signature.map { .text(HexText.encode($0)) }
        return .object(members)
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

/// Notes of a Legacy packager in the manifest, in addition to the names of files.
///
///     "sd_size": n, "bl_size": n                 of `softdevice_bootloader`: sent to the device
///     "init_packet_data": { "<field>": … }       a copy of the `.dat`'s fields; informational only
package struct LegacyNotes: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case number(Double)
        case numbers([Double])
        case text(String)
        case other
    }

    package let bootloaderSize: Int?
    package let softdeviceSize: Int?
    /// The members of `init_packet_data`; nil if it is missing.
    package let initPacketData: [String: Value]?
}

extension LegacyNotes {
    /// The JSON object `init_packet_data`. Any value is accepted, because it is informational only.
    struct Object: Decodable {
        let values: [String: Value]

        init(from decoder: any Decoder) {
            var values: [String: Value] = [:]
            if let members = try? decoder.container(keyedBy: Key.self) {
                for key in members.allKeys {
                    guard (try? members.decodeNil(forKey: key)) != true else { continue }
                    values[key.stringValue] = Self.value(of: key, in: members)
                }
            }
            self.values = values
        }

        private static func value(of key: Key, in members: KeyedDecodingContainer<Key>) -> Value {
            if let number = try? members.decode(Double.self, forKey: key) { return .number(number) }
            if let text = try? members.decode(String.self, forKey: key) { return .text(text) }
            if let numbers = try? members.decode([Double].self, forKey: key) { return .numbers(numbers) }
            return .other
        }

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }
}
