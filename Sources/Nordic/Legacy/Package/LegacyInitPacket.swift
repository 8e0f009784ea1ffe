import Bytes

/// An init packet (`.dat`) of Legacy DFU: the metadata that a bootloader checks before it takes an image.
///
/// Of SDK 7 to 11, and Adafruit's:
///
///      0     2  device_type           least significant byte first, like every number here
///      2     2  device_revision
///      4     4  application_version
///      8     2  n
///     10    2n  softdevice_req
///     then      nothing | 2 CRC16 | 6 with u32 0 | 40 with u32 1 | 104 with u32 2: ``LegacyExtension``;
///               after a CRC16 anything, up to 10 bytes in total
///
/// SDK 4.3 to 6.1: 2 bytes, only a CRC16 of the image.
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

    /// The SoftDevice id that matches any SoftDevice.
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
        guard !bytes.isEmpty else { throw InitPacketError(offset: 0, field: "device_type", reason: .empty) }
        var reader = ByteReader(bytes)
        self.bytes = bytes
        guard bytes.count != Self.checksumBytes else {
            (deviceType, deviceRevision, applicationVersion, softDeviceRequirements) = (.max, .max, .max, [])
            end = .crc16(UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
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

extension LegacyExtension {
    /// Reads the rest of an init packet. Only its length distinguishes a CRC16 from the extensions with an id:
    /// template and packagers agree on nothing else.
    static func reading(
        _ reader: inout ByteReader
    ) throws(InitPacketError) -> (LegacyExtension, padding: [UInt8]) {
        let start = reader.offset
        var id: UInt32 = 0
        let found: LegacyExtension?
        do throws(ByteError) {
            switch reader.remaining {
            case 0: return (.none, [])
            case 1...LegacyInitPacket.checksumExtensionLimit: return try checksum(&reader)
            default:
                id = try reader.integer("ext_packet_id")
                found = try content(of: id, &reader)
            }
            if found != nil { try reader.end(of: "init packet") }
        } catch { throw InitPacketError(error) }
        guard let found else {
            throw InitPacketError(offset: start, field: "ext_packet_id", reason: .unknownExtension(id))
        }
        return (found, [])
    }

    /// A CRC16, alone or after the id 0, and the bytes after it.
    private static func checksum(
        _ reader: inout ByteReader
    ) throws(ByteError) -> (LegacyExtension, padding: [UInt8]) {
        var ahead = reader
        var isExtended = false
        if reader.remaining >= 6 {
            let id: UInt32 = try ahead.integer("ext_packet_id")
            isExtended = id == 0
        }
        if isExtended { reader = ahead }
        let crc: UInt16 = try reader.integer("firmware_crc16")
        return (isExtended ? .extendedCRC16(crc) : .crc16(crc), Array(reader.remainder()))
    }

    private static func content(
        of id: UInt32, _ reader: inout ByteReader
    ) throws(ByteError) -> LegacyExtension? {
        switch id {
        case 0: return .extendedCRC16(try reader.integer("firmware_crc16"))
        case 1:
            let length: UInt32 = try reader.integer("firmware_length")
            return .hash(length: length, digest: Array(try reader.bytes("firmware_hash", 32)))
        case 2:
            let length: UInt32 = try reader.integer("firmware_length")
            let digest = Array(try reader.bytes("firmware_hash", 32))
            let signature = try reader.bytes("init_packet_ecds", LegacyInitPacket.signatureBytes)
            return .signedHash(length: length, digest: digest, signature: Array(signature))
        default: return nil
        }
    }
}

/// The end of a Legacy init packet, which the device uses to check the received image.
package enum LegacyExtension: Hashable, Sendable {
    /// No extension; the SDK's template refuses that.
    case none
    /// CRC-16/CCITT-FALSE of the image (generation 0.5).
    case crc16(UInt16)
    /// The same after extension id 0 (generation 0.6).
    case extendedCRC16(UInt16)
    /// Bytes of the image and its SHA-256 in normal byte order, after extension id 1 (generation 0.7).
    case hash(length: UInt32, digest: [UInt8])
    /// The same after extension id 2, and an ECDSA P-256 signature: r then s, 32 bytes each, most significant byte
    /// first (generation 0.8).
    case signedHash(length: UInt32, digest: [UInt8], signature: [UInt8])

    /// The generation with this extension; nil for no extension.
    package var generation: LegacyGeneration? {
        switch self {
        case .none: nil
        case .crc16: .crc16
        case .extendedCRC16: .extendedCRC16
        case .hash: .hash
        case .signedHash: .signedHash
        }
    }

    /// The CRC16 of the image; nil in generations without it.
    package var crc16: UInt16? {
        switch self {
        case .crc16(let value), .extendedCRC16(let value): value
        default: nil
        }
    }

    /// The image's size in bytes; nil in generations without it.
    package var length: UInt32? {
        switch self {
        case .hash(let length, _), .signedHash(let length, _, _): length
        default: nil
        }
    }

    /// SHA-256 of the image; nil in generations without it.
    package var digest: [UInt8]? {
        switch self {
        case .hash(_, let digest), .signedHash(_, let digest, _): digest
        default: nil
        }
    }

    /// r then s, each with its most significant byte first, in generation 0.8.
    package var signature: [UInt8]? {
        if case .signedHash(_, _, let signature) = self { signature } else { nil }
    }
}
