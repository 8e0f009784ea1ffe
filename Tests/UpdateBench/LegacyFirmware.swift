package import Bluetooth
package import Nordic
package import Simulation
import UpdateModel

/// A Legacy image and its init packet, composed here byte by byte: device type and revision FFFF, any SoftDevice, a
/// CRC16.
package struct LegacyFirmware: Sendable {
    package let image: LegacyImage

    /// `version` is the application's in the init packet, below 256; nil for any.
    package init(
        count: Int, role: FirmwareRole = .application, hasInitPacket: Bool = true, version: UInt8? = nil
    ) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) }
        var crc: UInt16 = 0xFFFF
        for byte in bytes {
            crc ^= UInt16(byte) << 8
            for _ in 0..<8 { crc = crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x1021 }
        }
        let packet: [UInt8] =
            [0x52, 0, 0xFF, 0xFF] + (version.map { [$0, 0, 0, 0] } ?? [0xFF, 0xFF, 0xFF, 0xFF]) + [
                1, 0, 0xFE, 0xFF,
            ]
            + [UInt8(crc & 0xFF), UInt8(crc >> 8)]
        image = LegacyImage(
            role: role, bytes: bytes,
            initPacket: hasInitPacket ? try LegacyInitPacket(parsing: packet) : nil)
    }

    package var bytes: [UInt8] { image.bytes }
}

extension NordicBench {
    /// A beacon with a Legacy bootloader, which runs its application if `entering`.
    package static func legacy(
        _ personality: LegacyPersonality, faults: [Fault] = [], entering: Bool = false,
        hearing: @escaping @Sendable (DeviceAddress, EventLog) -> Hearing = { _, _ in .normal },
        change: @escaping @Sendable (inout NordicDescription) -> Void = { _ in }
    ) -> NordicBench {
        NordicBench(
            faults: faults, hearing: hearing,
            change: {
                $0 = NordicDescription(address: $0.address, legacy: LegacyDevice(personality))
                $0.softDevice = 0x98
                if entering {
                    $0.program = .application
                } else {
                    $0.applicationImage = []
                }
                change(&$0)
            })
    }

    package func flash(
        _ firmware: LegacyFirmware, entering: Bool = false, receipts: Int? = nil
    ) async throws -> NordicBenchResult {
        try await flash(
            LegacyProcedure(firmware.image, receiptInterval: receipts),
            entry: entering ? ButtonlessEntry(legacyOrButtonless: false) : nil)
    }
}
