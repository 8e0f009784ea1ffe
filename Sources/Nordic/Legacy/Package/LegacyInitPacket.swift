import Bytes

/// An init packet (`.dat`) of Legacy DFU: the metadata that a bootloader checks before it accepts an image.
///
/// For SDK 7 to 11 and Adafruit's bootloader:
///
///      0     2  device_type           least significant byte first, like every number here
///      2     2  device_revision
///      4     4  application_version
///      8     2  n
///     10    2n  softdevice_req
///     then      nothing | 2 CRC16 | 6 with u32 0 | 40 with u32 1 | 104 with u32 2: ``LegacyExtension``;
///               after a CRC16 anything, up to 10 bytes in total
///
/// For SDK 4.3 to 6.1: 2 bytes, only a CRC16 of the image.
///
/// A value of this type is well-formed; ``LegacyPart/findings(key:)`` checks whether a bootloader would accept it.
/// Field names are those of nrfutil's manifest. (nRF5 SDK 11, `dfu_init.h`; nrfutil 0.5, `init_packet.py`.)
package struct LegacyInitPacket: Hashable, Sendable {
    package let bytes: [UInt8]
    /// Compared with the type in the device's UICR; FFFF in a packet that names none.
    package let deviceType: UInt16
    /// Compared with the revision in the device's UICR; FFFF in a packet that names none.
    package let deviceRevision: UInt16
    /// The application's version, which the SDK's template ignores; FFFFFFFF in a packet that names none.
    package let applicationVersion: UInt32
    /// SoftDevice ids (FWIDs), one of which must be installed; FFFE matches any.
    package let softDeviceRequirements: [UInt16]
    package let end: LegacyExtension
    /// The bytes after a CRC16, which bootloaders ignore.
    package let padding: [UInt8]

    /// Whether the packet is only a CRC16, as before SDK 7: it names no device, version or SoftDevice.
    package var isChecksumAlone: Bool { bytes.count == Self.checksumBytes }

    package static let anySoftDevice: UInt16 = 0xFFFE
    /// The largest init packet for a single-bank bootloader, in bytes (nRF5 SDK 11, `dfu_single_bank.c`).
    static let singleBankLimit = 64
    /// The largest init packet for a dual-bank bootloader, in bytes (nRF5 SDK 11, `dfu_dual_bank.c`).
    static let dualBankLimit = 128

    static let signatureBytes = 64
    static let checksumBytes = 2
    /// The longest extension with a CRC16, including padding (nRF5 SDK 7 to 11, `dfu_init_template.c`).
    static let checksumExtensionLimit = 10

    /// The bytes that the signature covers: everything before it. Nil in a packet without a signature.
    package var signedBytes: [UInt8]? {
        end.signature == nil ? nil : Array(bytes.dropLast(Self.signatureBytes))
    }

    package func isSigned(by key: NordicPublicKey) -> Bool {
        guard let signature = end.signature, let signedBytes else { return false }
        return key.verifies(bigEndian: signature, of: signedBytes)
    }

    package init(parsing bytes: [UInt8]) throws(InitPacketError) {
        guard !bytes.isEmpty else { throw InitPacketError("device_type", at: 0, .empty) }
        var reader = ByteReader(bytes)
        self.bytes = bytes
        guard bytes.count != Self.checksumBytes else {
            (deviceType, deviceRevision, applicationVersion, softDeviceRequirements) = (.max, .max, .max, [])
            end = LegacyExtension(generation: .crc16, crc16: UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
            padding = []
            return
        }
        do throws(ByteError) {
            deviceType = try reader.integer("device_type")
            deviceRevision = try reader.integer("device_revision")
            applicationVersion = try reader.integer("application_version")
            let count: UInt16 = try reader.integer("number of SoftDevices")
            var ids = try reader.nested("softdevice_req", 2 * Int(count))
            var requirements: [UInt16] = []
            while ids.remaining > 0 { requirements.append(try ids.integer("softdevice_req")) }
            softDeviceRequirements = requirements
        } catch { throw InitPacketError(error) }
        (end, padding) = try LegacyExtension.reading(&reader)
    }
}

/// The end of a Legacy init packet, which the device uses to check the received image.
package struct LegacyExtension: Hashable, Sendable {
    /// The generation with this extension; nil for no extension, which the SDK's template refuses.
    package let generation: LegacyGeneration?
    /// CRC-16/CCITT-FALSE of the image; nil in generations without it.
    package private(set) var crc16: UInt16?
    /// The image's size in bytes; nil in generations without it.
    package private(set) var length: UInt32?
    /// SHA-256 of the image in normal byte order; nil in generations without it.
    package private(set) var digest: [UInt8]?
    /// An ECDSA P-256 signature in generation 0.8: r then s, 32 bytes each, most significant byte first.
    package private(set) var signature: [UInt8]?

    /// Reads the extension. Only its length distinguishes a CRC16 from the extensions with an id.
    static func reading(_ reader: inout ByteReader) throws(InitPacketError) -> (Self, padding: [UInt8]) {
        guard reader.remaining > 0 else { return (LegacyExtension(generation: nil), []) }
        // Up to this length it is a CRC16, alone or after the id 0, and padding.
        let mayBePadded = reader.remaining <= LegacyInitPacket.checksumExtensionLimit
        var ahead = reader
        var id: UInt32? = reader.remaining < 6 ? nil : try? ahead.integer("ext_packet_id")
        if mayBePadded, id != 0 { id = nil }
        guard let generation = LegacyGeneration.allCases.first(where: { $0.extensionID == id }) else {
            throw InitPacketError("ext_packet_id", at: reader.offset, .unknownExtension(id ?? 0))
        }
        if id != nil { reader = ahead }
        var found = LegacyExtension(generation: generation)
        do throws(ByteError) {
            switch generation {
            case .crc16, .extendedCRC16: found.crc16 = try reader.integer("firmware_crc16")
            case .hash, .signedHash:
                found.length = try reader.integer("firmware_length")
                found.digest = Array(try reader.bytes("firmware_hash", 32))
            }
            if generation == .signedHash {
                found.signature = Array(try reader.bytes("init_packet_ecds", LegacyInitPacket.signatureBytes))
            }
            if !mayBePadded { try reader.end(of: "init packet") }
        } catch { throw InitPacketError(error) }
        return (found, Array(reader.remainder()))
    }
}

/// The extension of a Legacy init packet, by the version that nrfutil's `--dfu-ver` takes.
///
/// This is the packet's number, not that of the bootloader's DFU Version characteristic (nordic-legacy.md, Layout).
package enum LegacyGeneration: String, CaseIterable, Sendable {
    /// A CRC16 of the image without an extension id: read by the template of nRF5 SDK 7 to 11.
    case crc16 = "0.5"
    /// Extension 0: a CRC16 of the image.
    case extendedCRC16 = "0.6"
    /// Extension 1: length and SHA-256 of the image.
    case hash = "0.7"
    /// Extension 2: length and SHA-256 of the image, and a signature.
    case signedHash = "0.8"

    package var dfuVersion: Double? { Double(rawValue) }

    /// The id at the start of the extension; nil if it has none.
    var extensionID: UInt32? {
        switch self {
        case .crc16: nil
        case .extendedCRC16: 0
        case .hash: 1
        case .signedHash: 2
        }
    }

    /// The generation for a packager's `dfuVersion`; nil for a number that none of them uses.
    init?(dfuVersion: Double) {
        // nrfutil treats everything up to 0.5 alike (adafruit-nrfutil, `package.py`).
        if (0...0.5).contains(dfuVersion) {
            self = .crc16
        } else if let known = Self.allCases.first(where: { $0.dfuVersion == dfuVersion }) {
            self = known
        } else {
            return nil
        }
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
    static func chips(ofBootloaderReporting text: String) -> [String]? {
        let words = text.lowercased().split { $0 == " " || $0 == "," }
        if words.contains("s132") { return ["nRF52832"] }
        return words.contains("s140") ? ["nRF52833", "nRF52840"] : nil
    }
}
