package import Nordic
import TestSupport

/// A part whose init packet the simulated bootloaders accept: hardware 52, SoftDevice 0x98 (S132 4.0.2).
///
/// It is built by neither the client nor the simulator.
package struct TestFirmware: Sendable {
    package let image: [UInt8]
    package let initPacket: [UInt8]
    private let role: FirmwareRole
    private let version: UInt32
    private let isSigned: Bool

    /// An application of `count` bytes; `isSigned` with a signature that devices without a key accept.
    package init(count: Int, version: UInt8 = 1, seed: UInt8 = 0, isSigned: Bool = false) {
        self.init(
            .application, Self.pattern(count, seed), version: UInt32(version), isSigned: isSigned
        ) { _ in }
    }

    /// A SoftDevice that replaces 0x98: S132 4.0.5, 0x9F, the same major version. And a bootloader of `bootloader`
    /// bytes after it.
    package static func system(bootloader: Int, version: UInt32 = 2) -> TestFirmware {
        let softDevice = softDevice(count: 0x2400)
        return TestFirmware(
            .softdeviceBootloader, softDevice + pattern(bootloader, 7), version: version, isSigned: true
        ) {
            $0.type = 3
            $0.softDeviceSize = softDevice.count
            $0.bootloaderSize = bootloader
            $0.applicationSize = 0
            // nrfutil lists the new one too, so that an unfinished update can be repeated.
            $0.softDevices = [0x98, 0x9F]
        }
    }

    /// A bootloader of `count` bytes.
    package static func bootloader(count: Int, version: UInt32 = 2) -> TestFirmware {
        TestFirmware(.bootloader, pattern(count, 5), version: version, isSigned: true) {
            $0.type = 2
            $0.bootloaderSize = count
            $0.applicationSize = 0
        }
    }

    /// An application for the SoftDevice of `system`.
    package static func application(onNewSystem count: Int) -> TestFirmware {
        TestFirmware(.application, pattern(count, 3), version: 1, isSigned: true) { $0.softDevices = [0x9F] }
    }

    private init(
        _ role: FirmwareRole, _ bytes: [UInt8], version: UInt32, isSigned: Bool,
        _ change: (inout InitRecipe) -> Void
    ) {
        self.role = role
        self.version = version
        self.isSigned = isSigned
        image = bytes
        initPacket =
            InitRecipe(bytes) {
                $0.version = Int(version)
                $0.softDevices = [0x98]
                if isSigned { $0.signature = (0, [UInt8](repeating: 1, count: 64)) }
                change(&$0)
            }.packet
    }

    package var secureImage: SecureImage {
        SecureImage(
            initPacket: initPacket, bytes: image, role: role, isSigned: isSigned, firmwareVersion: version,
            hardwareVersion: 52, softDevices: [0x98])
    }

    private static func pattern(_ count: Int, _ seed: UInt8) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) &+ seed }
    }

    /// The information structure at 0x2004 (docs/formats/init-packet.md): magic, end, FWID.
    private static func softDevice(count: Int) -> [UInt8] {
        var bytes = pattern(count, 11)
        let end = 0x1000 + (count + 4095) / 4096 * 4096
        let structure: [UInt8] =
            [0xDB, 0xE5, 0xB1, 0x51] + (0..<4).map { UInt8(truncatingIfNeeded: end >> (8 * $0)) }
            + [0x9F, 0, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 8)
        bytes.replaceSubrange(0x2004..<0x2004 + structure.count, with: structure)
        return bytes
    }
}
