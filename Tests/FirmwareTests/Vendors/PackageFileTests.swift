import Bytes
import Dialog
import Feasycom
import Firmware
import Nordic
import TestSupport
import Testing
import UpdateModel

@Suite struct `A firmware file` {
    @Test func `is recognised as a Nordic package`() throws {
        let file = try PackageFile(recognising: try Samples.bytes("nordic/tiny.zip"))
        guard case .firmware(let package as NordicPackage) = file else {
            Issue.record("\(file)")
            return
        }
        #expect(package.parts.count == 1)
    }

    @Test func `is recognised as a Legacy package, with or without a manifest`() throws {
        for name in try Samples.names(in: "legacy") {
            guard
                case .firmware(let package as LegacyPackage) = try PackageFile(
                    recognising: try Samples.bytes(name))
            else {
                Issue.record("\(name)")
                continue
            }
            #expect(!package.findings().contains { $0.level == .error }, "\(name)")
        }
    }

    static let samples: [(String, UnsupportedFile.Kind)] = [
        ("no-manifest", .zip), ("manifest-in-folder", .zip),
    ]

    @Test(arguments: samples)
    func `in a ZIP is named when it is foreign`(_ name: String, _ kind: UnsupportedFile.Kind) throws {
        try expect(kind, for: try Samples.bytes("malformed/\(name).zip"))
    }

    @Test func `that is the init packet of a package is named, whichever kind it is`() throws {
        for name in ["nordic/tiny.zip", "legacy/generation-08.zip", "legacy/vector.zip"] {
            let archive = try ZipReader(try Samples.bytes(name))
            let entry = try #require(archive.entries.first { $0.name.hasSuffix(".dat") })
            try expect(.initPacket, for: try archive.contents(of: entry.name, atMost: 4096))
        }
    }

    @Test func `in a ZIP that is not a package is named, if it is firmware`() throws {
        let package = try Samples.bytes("nordic/tiny.zip")
        let image = try Samples.bytes("dialog/58x.img")
        func words(_ entries: [(String, [UInt8])]) throws -> String {
            var archive = ZipWriter()
            for (name, bytes) in entries { try archive.add(name, bytes) }
            guard case .unsupported(let file) = try PackageFile(recognising: try archive.file()) else {
                return ""
            }
            #expect(file.kind == .zip)
            return file.hint.description
        }
        #expect(
            try words([("ota.zip", package), ("README.txt", [1])])
                == "this archive contains firmware: unpack it and use ota.zip")
        #expect(
            try words([("a/OTA.ZIP", package), ("b.img", image)]).hasPrefix(
                "this archive contains a/OTA.ZIP, b.img: unpack it and use the file"))
        for entries in [[("ota.zip", [0x50, 0x4B])], [("ota.txt", package)], [("b.img", [UInt8]([1, 2]))]] {
            #expect(try words(entries).contains("manifest.json at its root"))
        }
    }

    static let beginnings: [([UInt8], UnsupportedFile.Kind)] = [
        (Array(":020000040001F9\r\n:10".utf8), .intelHex),
        ([0x7F, 0x45, 0x4C, 0x46, 1, 1], .elf),
        ([0x70, 0x50, 0, 0, 0, 0, 0, 0], .dialogFlashImage), ([0x70, 0x52, 0, 0], .unknown),
        ([UInt8](hex: "5070 00200000 00200000"), .dialogFlashImage),
        ([0xDD, 0x07], .unknown), (Array("FB".utf8), .unknown),
        ([0xDD, 0x07] + [UInt8](repeating: 0, count: 28) + [0xE0, 0x07], .unknown),
        (Array("\n<!DOCTYPE html><html>".utf8), .unknown),
        (Array(":hello".utf8), .unknown), (Array(":10".utf8), .unknown), (Array(":1000".utf8), .intelHex),
        // Text that begins with the letters of a Dialog image or product header.
        (Array("pa".utf8), .unknown), (Array("parameters: 1\n".utf8), .unknown),
        (Array(String(repeating: "pack my box with five dozen jugs ", count: 9).utf8), .unknown),
        (Array("pbcopy < file".utf8), .unknown), (Array("Pp, and more text after it".utf8), .unknown),
        (Array("DfuSe\u{1}".utf8), .usbDFU),
        (Array("UF2\n".utf8) + [0x57, 0x51, 0x5D, 0x9E], .uf2), ([UInt8](hex: "eb17a603 0c000000"), .gbl),
        ([UInt8](hex: "1ef1ee0b 0001"), .zigbeeOTA),
        (Array("S0030000FC\nS1130000285F245F2212226A000424290008237C2A\n".utf8), .sRecord),
        (Array("S9030000FC".utf8), .sRecord), (Array("S0 is a record".utf8), .unknown),
        (Array("SADFACADE0".utf8), .unknown),
        (Array("-----BEGIN EC PRIVATE KEY-----\n".utf8), .key),
        (Array("-----BEGIN CERTIFICATE-----".utf8), .key),
        ([UInt8](hex: "7151000080 000004 01020304"), .dialogFlashImage),
        ([UInt8](hex: "7151000080 000005 01020304"), .unknown),
        ([UInt8](hex: "7151000080 000000 01"), .unknown),
        // An init packet whose lengths are consistent, and others.
        ([UInt8](hex: "5200afadffffffff0100b6007f29"), .initPacket),
        ([UInt8](hex: "5200afadffffffff0000 7f29"), .unknown),
        ([UInt8](hex: "5200afadffffffff0200b6007f29"), .unknown), ([0x7F, 0x29], .unknown),
        ([0x27, 0x05, 0x19, 0x56, 0], .gatewayFirmware), (Array("hsqs".utf8), .gatewayFirmware),
        (Array("HDR0".utf8), .gatewayFirmware), (Array("070701".utf8), .gatewayFirmware),
        ([0x1F, 0x8B, 0x08, 0], .archive), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .archive),
        ([UInt8](repeating: 0x61, count: 257) + Array("ustar".utf8), .archive),
        ([UInt8](hex: "00000120 01620200"), .rawBinary), ([UInt8](hex: "00c0fc07 c100fc07"), .rawBinary),
        ([UInt8](hex: "00000120 00620200"), .unknown), ([UInt8](hex: "00000030 01620200"), .unknown),
        ([UInt8](hex: "02000120 01620200"), .unknown),
        ([], .unknown), ([0], .unknown), ([0xFF], .unknown),
    ]

    @Test(arguments: beginnings)
    func `is named by its first bytes`(_ bytes: [UInt8], _ kind: UnsupportedFile.Kind) throws {
        try expect(kind, for: bytes)
    }

    @Test(arguments: ["dialog", "feasycom"])
    func `is read when it is valid`(_ folder: String) throws {
        for name in try Samples.names(in: folder) {
            let bytes = try Samples.bytes(name)
            switch try PackageFile(recognising: bytes) {
            case .firmware(let image as SUOTAImage):
                #expect(folder == "dialog" && image.bytes == bytes)
                #expect(!image.findings().contains { $0.level == .error }, "\(name)")
            case .firmware(let file as FBeaconFile):
                #expect(folder == "feasycom" && file.bytes == bytes)
                #expect(!file.findings().contains { $0.level == .error }, "\(name)")
            default: Issue.record("\(name)")
            }
        }
    }

    @Test func `that is Intel HEX is named with its content, or with its error`() throws {
        #expect(try hint("hex/application.hex").hasPrefix("1024 bytes at 0x26000; "))
        #expect(
            try hint("hex/softdevice.hex").hasPrefix("374 bytes at 0x0, 0x1000, 0x3000, 0x3100 and more; "))
        #expect(
            try hint("malformed/hex-overlap.hex")
                .hasPrefix("damaged, line 3, column 4: address 0x26004 is defined twice; "))
    }

    @Test func `that is a Dialog flash is named with the images in it`() throws {
        let hint = try hint("malformed/dialog-multi-part.img")
        #expect(hint.contains("image 1.0.0 (58x) at 0x2000, image 1.1.0 (58x) at 0x3000"))
    }

    @Test(arguments: [
        ("malformed/suota-absurd-size.img", "sizes"), ("malformed/fbeacon-end-mark.dfu", "end mark"),
    ])
    func `that only looks like a supported one is distinguished`(_ name: String, _ word: String) throws {
        let file = try Samples.bytes(name)
        try expect(.unknown, for: file)
        #expect(try hint(name).contains(word))
    }

    static let broken: [(String, String)] = [
        ("legacy-truncated.zip", "init-packet-malformed"), ("legacy-damaged-hex.zip", "hex-invalid"),
        ("suota-truncated.img", "file-truncated"), ("suota-header-truncated.img", "file-truncated"),
        ("suota-offset-inside-header.img", "payload-offset-invalid"),
        ("fbeacon-truncated.fbu", "file-truncated"),
        ("fbeacon-container-version.fbu", "unsupported-container-version"),
    ]

    @Test(arguments: broken)
    func `of a supported kind that is broken is an error`(_ name: String, _ code: String) throws {
        let file = try Samples.bytes("malformed/\(name)")
        do throws(FirmwareFileError) {
            Issue.record("\(try PackageFile(recognising: file))")
        } catch {
            #expect(error.code.rawValue == code)
            #expect(!error.description.isEmpty)
        }
    }

    @Test func `with a suffix for DFU over USB is named by its checksum`() throws {
        let body = (0..<64).map { UInt8($0) } + [UInt8](hex: "ffff 5678 1234 0001 554644 10")
        let crc = ~CRC32.checksum(body)
        let suffix = (0..<4).map { UInt8(truncatingIfNeeded: crc >> ($0 * 8)) }
        try expect(.usbDFU, for: body + suffix)
        try expect(.unknown, for: body + suffix.map { ~$0 })
    }

    @Test func `that is a web page is distinguished from a broken one`() throws {
        let page = Array("<html><body>Sign in</body></html>".utf8)
        guard case .unsupported(let file) = try PackageFile(recognising: page) else {
            Issue.record("recognised")
            return
        }
        #expect(file.hint.description.contains("web page"))
    }

    @Test func `that is a broken package is an error, not a foreign file`() throws {
        let file = try Samples.bytes("malformed/truncated-zip.zip")
        let flaw = ArchiveError(.endMissing, offset: 735)
        #expect(
            throws: FirmwareFileError(
                flaw.code, at: Finding.Place(offset: 735), cause: flaw.cause, flaw.description)
        ) {
            try PackageFile(recognising: file)
        }
    }

    private func hint(_ name: String) throws -> String {
        guard case .unsupported(let file) = try PackageFile(recognising: try Samples.bytes(name)) else {
            Issue.record("recognised")
            return ""
        }
        return file.hint.description
    }

    private func expect(_ kind: UnsupportedFile.Kind, for bytes: [UInt8]) throws {
        guard case .unsupported(let file) = try PackageFile(recognising: bytes) else {
            Issue.record("recognised")
            return
        }
        #expect(file.kind == kind)
        #expect(!file.hint.description.isEmpty)
    }
}
