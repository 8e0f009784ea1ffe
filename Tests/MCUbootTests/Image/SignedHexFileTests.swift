import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import MCUboot

@Suite struct `Intel HEX with an MCUboot image` {
    /// Intel HEX of bytes at addresses.
    static func hex(_ pieces: [(address: UInt32, bytes: [UInt8])]) -> [UInt8] {
        func record(_ content: [UInt8]) -> String {
            let sum = content.reduce(UInt8(0), &+)
            return ":" + HexText.encode(content + [0 &- sum]).uppercased() + "\n"
        }
        var text = ""
        for piece in pieces {
            for start in stride(from: 0, to: piece.bytes.count, by: 16) {
                let address = piece.address + UInt32(start)
                let data = piece.bytes[start..<min(start + 16, piece.bytes.count)]
                text += record([2, 0, 0, 4] + UInt16(address >> 16).bytes(.big))
                text += record([UInt8(data.count)] + UInt16(address & 0xFFFF).bytes(.big) + [0] + data)
            }
        }
        return Array((text + ":00000001FF\n").utf8)
    }

    private static func file(_ pieces: [(address: UInt32, bytes: [UInt8])]) throws -> MCUbootFile {
        guard case .firmware(let file as MCUbootFile)? = try MCUbootVendor().recognise(hex(pieces)) else {
            throw MCUbootImageError.notAnImage
        }
        return file
    }

    @Test func `is read, with its address`() throws {
        let file = try Self.file([(0xC000, ImageVectors.ed25519)])
        #expect(file.container == .hex(address: 0xC000, otherBytes: 0))
        #expect(file.uploads.map(\.bytes) == [ImageVectors.ed25519])
        #expect(file.usualExtension == ".hex")
        #expect(file.findings(key: ImageVectors.keyOfEd25519).isEmpty)
    }

    @Test func `may have the trailer at the end of the slot`() throws {
        let trailer = `The padding of an MCUboot image`.trailer(alignment: 8, isConfirmed: true)
        let end = 0xC000 + 4096 - UInt32(trailer.count)
        let file = try Self.file([
            (0xC000, ImageVectors.ed25519), (end + 1000, Array(trailer[1000..<1008])),
            (end + 1008, Array(trailer[1008...])),
        ])
        let rest = 4096 - ImageVectors.ed25519.count
        #expect(file.parts.map(\.image.padding) == [.trailer(bytes: rest, alignment: 8, isConfirmed: true)])
        #expect(file.uploads.map(\.bytes) == [ImageVectors.ed25519])
        #expect(file.findings(key: nil).map(\.code) == [.mcubootFile.padded])
    }

    @Test func `may be merged with the bootloader, which is not sent`() throws {
        let bootloader = [UInt8](repeating: 1, count: 0x200)
        for (place, address) in [(UInt32(0xC000), "apart"), (0x200, "touching")] {
            let file = try Self.file([(0, bootloader), (place, ImageVectors.ed25519)])
            #expect(file.container == .hex(address: place, otherBytes: 0x200), "\(address)")
            #expect(file.uploads.map(\.bytes) == [ImageVectors.ed25519])
            #expect(file.findings(key: nil).map(\.code) == [.mcubootFile.otherRegions])
        }
    }

    @Test func `with several images is not sent, and says where they are`() throws {
        let bytes = Self.hex([(0xC000, ImageVectors.ed25519), (0x8_0000, ImageVectors.unsigned)])
        guard case .unsupported(let file)? = try MCUbootVendor().recognise(bytes) else {
            Issue.record("it is recognised as something else")
            return
        }
        #expect(file.kind == .intelHex)
        #expect(file.hint.description.hasPrefix("2 MCUboot images, at 0xc000, 0x80000;"))
    }

    @Test(.timeLimit(.minutes(1))) func `with the magic on every page is read in a moment`() throws {
        let page = [UInt8](hex: "3db8f396") + [UInt8](repeating: 0, count: 252)
        let bytes = Self.hex([
            (4, [UInt8](repeating: 0, count: 252) + Array([[UInt8]](repeating: page, count: 4000).joined()))
        ])
        #expect(try MCUbootVendor().recognise(bytes) == nil)
    }

    @Test func `is another vendor's without one, or if it is damaged`() throws {
        #expect(try MCUbootVendor().recognise(Self.hex([(0, [1, 2, 3])])) == nil)
        #expect(try MCUbootVendor().recognise(Self.hex([])) == nil)
        #expect(try MCUbootVendor().recognise(Array(":0000".utf8)) == nil)
    }

    @Test func `may leave out what is FF`() throws {
        var draft = ImageDraft()
        draft.body = [UInt8](repeating: 1, count: 300) + [UInt8](repeating: 0xFF, count: 64) + [2, 3, 4, 5]
        let image = draft.bytes
        let pieces: [(address: UInt32, bytes: [UInt8])] = [
            (0x8000, Array(image[..<332])), (0x8000 + 396, Array(image[396...])),
            (0x1000_1000, [1, 2, 3, 4]),
        ]
        let file = try Self.file(pieces)
        #expect(file.uploads.map(\.bytes) == [image])
        #expect(file.container == .hex(address: 0x8000, otherBytes: 4))
        #expect(file.parts.map(\.image.hashMatches) == [true])
    }

    @Test func `is refused if the image is cut off`() {
        #expect {
            try MCUbootVendor().recognise(Self.hex([(0xC000, ImageVectors.ed25519.dropLast())]))
        } throws: {
            ($0 as? FirmwareFileError)?.code == .file.fileTruncated
        }
    }
}
