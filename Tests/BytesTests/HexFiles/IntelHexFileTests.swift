import Bytes
import TestSupport
import Testing

@Suite struct `An Intel HEX file` {
    @Test func `reports what flattening fills with FF`() throws {
        // 4 bytes at 26000, 27004 (4096 after their end), 28007 (4095 after) and 7F000.
        let text = [
            ":020000040002F8", ":0460000001020304" + "92", ":0470040001020304" + "7E",
            ":0480070001020304" + "6B",
            ":020000040007F3", ":04F0000001020304" + "02", ":00000001FF",
        ].joined(separator: "\n")
        let file = try read(text)
        let gaps = file.gaps(ofAtLeast: 0x1000)
        #expect(gaps.map(\.before.address) == [0x26000, 0x28007])
        #expect(gaps.map(\.after.address) == [0x27004, 0x7F000])
        #expect(gaps.map(\.bytes) == [0x1000, 0x7F000 - 0x2800B])
        #expect(gaps.map(\.isBeforeSettings) == [false, true])
        #expect(file.gaps(ofAtLeast: 1).count == 3)
        #expect(try read(":00000001FF").gaps(ofAtLeast: 0) == [])
    }

    @Test func `is read into regions`() throws {
        let file = try IntelHexFile(parsing: try Samples.bytes("hex/application.hex"))
        #expect(file.regions.map(\.address) == [0x26000])
        #expect(file.dataBytes == 1024)
        #expect(file.startAddress == 0x26201)
        #expect(file.regions.first?.bytes.prefix(4) == [0x00, 0x00, 0x01, 0x20])
    }

    @Test func `joins adjacent data, across a segment boundary`() throws {
        let file = try IntelHexFile(parsing: try Samples.bytes("hex/segmented.hex"))
        #expect(file.regions.map(\.address) == [0xFFF0])
        #expect(file.regions.first?.bytes == Array(0..<16) + Array(0..<40))
        #expect(file.startAddress == 0x1000_0100)
    }

    @Test(arguments: ["\n", "\r\n", "\r", " \t\n", "\n\n\r\n"])
    func `accepts any line ending`(_ end: String) throws {
        let lines = [":0400100001020304E2", ":00000001FF"].joined(separator: end)
        for text in [lines, lines + end] {
            let file = try read(text)
            #expect(file.regions.map(\.address) == [0x10])
            #expect(file.regions.map(\.bytes) == [[1, 2, 3, 4]])
        }
    }

    @Test func `may have its records in any order`() throws {
        let file = try read(":020004000506EF\n:020000000102FB\n:00000001FF")
        #expect(file.regions.map(\.bytes) == [[1, 2], [5, 6]])
    }

    @Test func `may have records without data`() throws {
        #expect(try read(":0000000000\n:00000001FF").regions == [])
        #expect(throws: HexError.self) { try read(":0000000000\n:00000001FF").flattened() }
    }

    @Test func `reaches to the end of the address space and not beyond`() throws {
        let top = ":02000004FFFFFC\n"
        let file = try read(top + ":01FFFF00AA57\n:00000001FF")
        #expect(file.regions.map(\.end) == [1 << 32])
        #expect(
            refusal(top + ":02FFFF00AAAAAC\n:00000001FF")
                == "line 2, column 4: the data extends beyond its segment")
    }

    /// Texts, each with its one error message.
    static let flaws: [(String, String, String)] = [
        ("", "hex-truncated", "the text ends without an end record"),
        ("\n\n", "hex-truncated", "line 2: the text ends without an end record"),
        ("hello", "hex-malformed", "line 1, column 1: a record must begin with a colon"),
        (":", "hex-malformed", "line 1, column 2: the record needs 10 digits but has 0"),
        (":0", "hex-malformed", "line 1, column 2: the record needs 10 digits but has 1"),
        (":00000001FF0", "hex-malformed", "line 1, column 2: the record needs 10 digits but has 11"),
        (
            ":0400100001020304E3", "hex-checksum-mismatch",
            "line 1, column 18: the record's checksum is e3, but its bytes give e2"
        ),
        (":04001000010G0304E2", "hex-malformed", "line 1, column 13: not a hexadecimal digit"),
        (":00000006FA", "hex-malformed", "line 1, column 8: record type 06 is unknown"),
        (
            ":0100000100FE", "hex-malformed",
            "line 1, column 2: a record of type 01 needs 0 bytes, this one has 1"
        ),
        (
            ":0100000401FA", "hex-malformed",
            "line 1, column 2: a record of type 04 needs 2 bytes, this one has 1"
        ),
        (":0400100001020304E2\n", "hex-truncated", "line 1: the text ends without an end record"),
        (":00000001FF\n:00000001FF", "hex-malformed", "line 2, column 1: something follows the end record"),
        (
            ":0400100001020304E2\n:0100130004E8\n:00000001FF", "hex-overlap",
            "line 2, column 4: address 0x13 is defined twice"
        ),
        (
            ":020000021000EC\n:02FFFF000102FD\n:00000001FF", "hex-malformed",
            "line 2, column 4: the data extends beyond its segment"
        ),
    ]

    @Test(arguments: flaws)
    func `reports the line and column of an error`(_ text: String, _ code: String, _ words: String) {
        do throws(HexError) {
            _ = try IntelHexFile(parsing: Array(text.utf8))
            Issue.record("was read")
        } catch {
            #expect(error.code == code)
            #expect(error.description == words)
        }
    }

    @Test func `has limits`() throws {
        let text = try Samples.bytes("hex/application.hex")
        #expect(throws: HexError.self) { try IntelHexFile(parsing: text, dataLimit: 1023) }
        _ = try IntelHexFile(parsing: text, dataLimit: 1024)
        #expect(throws: HexError.self) {
            try IntelHexFile(parsing: text, textLimit: text.count - 1, dataLimit: 1024)
        }
    }

    private func read(_ text: String) throws -> IntelHexFile { try IntelHexFile(parsing: Array(text.utf8)) }

    private func refusal(_ text: String) -> String? {
        do throws(HexError) {
            _ = try IntelHexFile(parsing: Array(text.utf8))
            return nil
        } catch { return error.description }
    }
}

@Suite struct `A damaged Intel HEX file` {
    @Test func `is refused at every length, with a line`() throws {
        let text = try Samples.bytes("hex/softdevice.hex")
        // The last line end may be missing.
        for prefix in Corruption.prefixes(of: text).dropLast() {
            do throws(HexError) {
                _ = try IntelHexFile(parsing: prefix)
                Issue.record("\(prefix.count) bytes were read")
            } catch { #expect((0...text.count).contains(error.line)) }
        }
    }

    @Test func `with any byte changed is refused, or has the same content`() throws {
        let text = try Samples.bytes("hex/segmented.hex")
        let whole = try IntelHexFile(parsing: text)
        for (index, changed) in Corruption.flips(of: text) {
            do throws(HexError) {
                let file = try IntelHexFile(parsing: changed)
                #expect(file == whole, "byte \(index)")
            } catch { #expect(error.line >= 0) }
        }
    }

    @Test(arguments: ["checksum", "truncated", "overlap", "bad-digit", "after-end"])
    func `is refused for its defect`(_ name: String) throws {
        let text = try Samples.bytes("malformed/hex-\(name).hex")
        #expect(throws: HexError.self) { try IntelHexFile(parsing: text) }
    }
}

@Suite struct `A flattened image` {
    private let scattered = ":02000000AABB99\n:01000400CC2F\n:00000001FF"

    private func file(_ text: String) throws -> IntelHexFile { try IntelHexFile(parsing: Array(text.utf8)) }

    @Test func `has FF in its gaps and at its end`() throws {
        let file = try file(scattered)
        #expect(try file.flattened().bytes == [0xAA, 0xBB, 0xFF, 0xFF, 0xCC])
        #expect(try file.flattened(alignment: 4).bytes == [0xAA, 0xBB, 0xFF, 0xFF, 0xCC, 0xFF, 0xFF, 0xFF])
        #expect(try file.flattened(alignment: 5).bytes.count == 5)
        #expect(try file.flattened(alignment: 0).bytes.count == 5)
    }

    @Test func `begins where it is told to, and drops nothing`() throws {
        let file = try file(":01000400CC2F\n:00000001FF")
        #expect(try file.flattened().address == 4)
        #expect(try file.flattened(from: 2).bytes == [0xFF, 0xFF, 0xCC])
        do {
            _ = try file.flattened(from: 5)
            Issue.record("was flattened")
        } catch { #expect(error.description == "data at 0x4 is below the start 0x5") }
    }

    @Test func `is never larger than its limit`() throws {
        let text = ":01000000AA55\n:02000004FFFFFC\n:01FFFF00AA57\n:00000001FF"
        do {
            _ = try file(text).flattened()
            Issue.record("was flattened")
        } catch let error as HexError {
            #expect(error.code == "hex-too-large")
            #expect(error.description == "flattened image: 4294967296 bytes, at most 8388608 allowed")
        }
    }

    @Test func `of Nordic leaves out what a bootloader cannot write`() throws {
        let image = try IntelHexFile(parsing: try Samples.bytes("hex/softdevice.hex")).confinedImage()
        #expect(image.address == 0x1000)
        #expect(image.bytes.count == 0x2124)
        #expect(image.bytes[0x2004..<0x2008] == [0xDB, 0xE5, 0xB1, 0x51])
        #expect(image.bytes.suffix(2) == [0xFF, 0xFF])
        #expect(image.bytes[64..<0x2000].allSatisfy { $0 == 0xFF })
    }

    /// Data outside of flash would be dropped silently.
    @Test(arguments: [
        (":020000040FFFEC\n:08FFFC000102030405060708D9\n:00000001FF", 0x1000_0000 as UInt32),
        (":020000042000DA\n:0100000001FE\n:00000001FF", 0x2000_0000),
        (":0100000001FE\n:020000041200E8\n:0100000001FE\n:00000001FF", 0x1200_0000),
    ])
    func `of Nordic refuses data outside of flash`(_ text: String, _ address: UInt32) throws {
        let parsed = try file(text)
        do throws(HexError) {
            _ = try parsed.confinedImage()
            Issue.record("accepted")
        } catch { #expect(error.reason == .outsideFlash(address: address)) }
    }

    @Test func `of Nordic begins at 3000 when the SoftDevice requires it`() throws {
        let mark = "DBE5B151"
        // 0x2FFF and 0x3000 hold a byte each; the mark is at 0x4004.
        let text = ":022FFF000102CD\n:04400400\(mark)F6\n:00000001FF"
        let image = try file(text).confinedImage()
        #expect(image.address == 0x3000)
        #expect(image.bytes.first == 2)
        let usual = try file(":022FFF000102CD\n:04300400\(mark)06\n:04400400\(mark)F6\n:00000001FF")
            .confinedImage()
        #expect(usual.address == 0x2FFF)
    }
}
