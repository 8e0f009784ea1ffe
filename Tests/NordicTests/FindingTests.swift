import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import Nordic

@Suite struct `A finding` {
    @Test func `prints as one line with the entry and the field`() throws {
        let package = try NordicPackage(parsing: try Samples.bytes("malformed/size-mismatch.zip"))
        let finding = try #require(package.findings().first)
        #expect(
            finding.description
                == "blinker.dat: InitCommand.app_size: the image has 256 bytes, the init packet announces 260"
        )
    }

    @Test func `needs a key to report a wrong signature`() throws {
        let package = try NordicPackage(parsing: try Samples.bytes("nordic/tiny.zip"))
        #expect(package.findings() == [])
        #expect(package.findings(key: try OtherKey.key()).map(\.id) == ["signature-invalid"])
    }
}

@Suite struct `A SoftDevice id` {
    @Test func `has a name when it is a public one`() {
        #expect(SoftDeviceNames.name(of: 0x98) == "S132 4.0.2")
        #expect(SoftDeviceNames.name(of: 0x123) == "S140 7.3.0")
        #expect(SoftDeviceNames.name(of: 0x67) == "S130 1.0.0")
        #expect(SoftDeviceNames.name(of: 0xCAFE) == nil)
    }
}

@Suite struct `A number in an init packet` {
    @Test func `has a name in JSON, or stays a number`() {
        #expect(
            [0, 1, 2, 3, 4, 9].map { FirmwareType(rawValue: $0).name } == [
                "application", "softdevice", "bootloader", "softdevice_bootloader", "external_application",
                "9",
            ])
        #expect(
            [0, 1, 2, 3, 4, 9].map { ImageHash(type: $0, bytes: []).typeName } == [
                "none", "crc", "sha128", "sha256", "sha512", "9",
            ])
        #expect(
            [0, 1, 2, 3, 9].map { BootValidation(type: $0).name } == [
                "none", "crc", "sha256", "ecdsa-p256-sha256", "9",
            ])
    }
}
