import Archives
import NordicDFU
import TestSupport
import Testing
import Vendors

@Suite struct `A firmware file` {
    @Test func `is recognised as a Nordic package`() throws {
        let file = try PackageFile(recognising: try Samples.bytes("nordic/tiny.zip"))
        guard case .nordicSecure(let package) = file else {
            Issue.record("\(file)")
            return
        }
        #expect(package.parts.count == 1)
    }

    static let samples: [(String, UnsupportedFile.Kind)] = [
        ("legacy", .nordicLegacy), ("legacy-by-layout", .nordicLegacy), ("mcuboot", .mcuboot),
        ("no-manifest", .zip), ("manifest-in-folder", .zip),
    ]

    @Test(arguments: samples)
    func `in a ZIP is named when it is foreign`(_ name: String, _ kind: UnsupportedFile.Kind) throws {
        try expect(kind, for: try Samples.bytes("malformed/\(name).zip"))
    }

    static let beginnings: [([UInt8], UnsupportedFile.Kind)] = [
        (Array(":020000040001F9\r\n:10".utf8), .intelHex),
        ([0x7F, 0x45, 0x4C, 0x46, 1, 1], .elf),
        ([0x3D, 0xB8, 0xF3, 0x96, 0, 0], .mcuboot),
        ([0x70, 0x51, 0xAA, 0], .suota), ([0x70, 0x61], .suota), ([0x51, 0x71], .suota),
        ([0x70, 0x50], .dialogFlashImage), ([0x70, 0x52], .dialogFlashImage),
        ([0xDD, 0x07] + [UInt8](repeating: 0, count: 28) + [0xE0, 0x07], .fbeacon),
        ([0xDD, 0x07], .unknown),
        (Array("\n<!DOCTYPE html><html>".utf8), .unknown),
        (Array(":hello".utf8), .unknown),
        ([], .unknown), ([0], .unknown), ([0xFF], .unknown),
    ]

    @Test(arguments: beginnings)
    func `is named by how it begins`(_ bytes: [UInt8], _ kind: UnsupportedFile.Kind) throws {
        try expect(kind, for: bytes)
    }

    @Test func `that is a web page is told apart from a broken one`() throws {
        let page = Array("<html><body>Sign in</body></html>".utf8)
        guard case .unsupported(let file) = try PackageFile(recognising: page) else {
            Issue.record("recognised")
            return
        }
        #expect(file.hint.contains("web page"))
    }

    @Test func `that is a broken package is an error, not a foreign file`() throws {
        let file = try Samples.bytes("malformed/truncated-zip.zip")
        #expect(throws: PackageError.archive(ArchiveError(.endMissing, offset: 735))) {
            try PackageFile(recognising: file)
        }
    }

    private func expect(_ kind: UnsupportedFile.Kind, for bytes: [UInt8]) throws {
        guard case .unsupported(let file) = try PackageFile(recognising: bytes) else {
            Issue.record("recognised")
            return
        }
        #expect(file.kind == kind)
        #expect(!file.hint.isEmpty)
    }
}
