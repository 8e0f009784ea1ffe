import Digests
package import NordicDFU

/// A firmware whose init packet the simulated bootloaders take: unsigned, hardware 52, SoftDevice 0x98.
///
/// The init packet is written here byte by byte, so that neither client nor simulator has made it.
package struct TestFirmware: Sendable {
    package let image: [UInt8]
    package let initPacket: [UInt8]

    package init(count: Int, version: UInt8 = 1, seed: UInt8 = 0) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) &+ seed }
        image = bytes
        func varint(_ value: Int) -> [UInt8] {
            value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F | 0x80)] + varint(value >> 7)
        }
        let hash: [UInt8] = [0x08, 0x03, 0x12, 0x20] + SHA256Digest.digest(bytes).reversed()
        let fields: [UInt8] =
            [0x08, version, 0x10, 52, 0x1A, 2, 0x98, 0x01, 0x20, 0, 0x28, 0, 0x30, 0, 0x38] + varint(count)
            + [0x42, UInt8(hash.count)] + hash + [0x48, 0]
        let command: [UInt8] = [0x08, 0x01, 0x12, UInt8(fields.count)] + fields
        initPacket = [0x0A, UInt8(command.count)] + command
    }

    package var secureImage: SecureImage {
        SecureImage(
            initPacket: initPacket, bytes: image, isSigned: false, firmwareVersion: 1, hardwareVersion: 52,
            softDevices: [0x98])
    }
}
