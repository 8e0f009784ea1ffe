import Bytes
import Feasycom
import TestSupport
import Testing
import UpdateModel

@Suite struct `An FBeacon file` {
    @Test func `of the open kind is read field by field`() throws {
        let bytes = try Samples.bytes("feasycom/bp102.fbu")
        #expect(
            HexText.encode(bytes.prefix(39))
                == "46428b02b5ef00080000200348031500010001005c990e9f070000003ef85550" + "01054250313032")
        let file = try FBeaconFile(parsing: bytes)
        let header = file.header
        #expect(header.container == .open)
        #expect(header.bootloader == 651)
        #expect([header.versionStart, header.versionEnd] == [800, 840])
        #expect(header.modelNumber == 21)
        #expect(header.uploadModel == 1)
        #expect([header.binCRC, header.crc, header.computedCRC] == [0xEFB5, 0xF83E, 0xF83E])
        #expect(header.openFields?.containerVersion == 1)
        #expect(header.openFields?.flags == 0)
        #expect(header.openFields?.bodyCRC == 0x9F0E_995C)
        #expect(header.openFields?.extensionLength == 7)
        #expect(file.records.map(\.kind) == [.modelType])
        #expect(file.modelType == "BP102")
        #expect(file.payload.elementsEqual((0..<2048).map { UInt8($0 & 0xFF) }))
        #expect(file.binCRCMatches == true)
        #expect(!file.isEncrypted)
        #expect(file.findings().map(\.id) == ["unauthenticated"])
    }

    @Test func `may have no extension`() throws {
        let bytes = try Samples.bytes("feasycom/bt909.fbu")
        #expect(
            HexText.encode(bytes.prefix(32))
                == "4642cc00e0c200040000da00e200140001000100264c0bb7000000001dad5550")
        let file = try FBeaconFile(parsing: bytes)
        #expect(file.records == [])
        #expect(file.modelType == nil)
        #expect(file.payload.startIndex == 32)
        #expect(file.findings().map(\.id) == ["unauthenticated"])
    }

    @Test func `may have every record, including unknown ones`() throws {
        let file = try FBeaconFile(parsing: try Samples.bytes("feasycom/all-records.fbu"))
        #expect(file.records.map(\.kind.rawValue) == [1, 2, 3, 4, 5, 6])
        #expect(file.records.map(\.text) == ["BP108", "v1.2 – shelf", "for tests only", nil, nil, nil])
        #expect(file.records.last?.value == [0xBE, 0xEF])
        #expect(file.header.openFields?.flags == 1)
        #expect(file.findings().map(\.id) == ["unauthenticated"])
    }

    @Test func `of the vendor is encrypted, and stays so`() throws {
        let file = try FBeaconFile(parsing: try Samples.bytes("feasycom/vendor-like.dfu"))
        #expect(file.header.container == .vendor)
        #expect(file.isEncrypted)
        #expect(file.binCRCMatches == nil)
        #expect(file.header.openFields == nil)
        #expect(file.records == [])
        #expect(file.modelType == nil)
        #expect(file.payload.count == 2048)
        #expect(file.findings().map(\.id) == ["payload-encrypted"])
        #expect(file.findings().map(\.level) == [.note])
    }

    /// The headers of the two public files; their payloads are the vendor's and not included.
    @Test(arguments: [
        ("dd07cc007e8400c00100da00e2001400010000000000000000000000dfb4e007", 114_688, 204, 218, 226, "BT909"),
        ("dd078b028b68002801003e033e031500010000000000000000000000ad18e007", 75776, 651, 830, 830, "BP102"),
    ])
    func `of the vendor has a header whose CRC is right`(
        _ header: String, _ length: Int, _ bootloader: UInt16, _ start: UInt16, _ end: UInt16, _ model: String
    ) throws {
        let file = try FBeaconFile(parsing: [UInt8](hex: header) + [UInt8](repeating: 0x55, count: length))
        #expect(file.header.crcMatches)
        #expect(file.header.bootloader == bootloader)
        #expect([file.header.versionStart, file.header.versionEnd] == [start, end])
        #expect(ModelNumber(rawValue: file.header.modelNumber).names == [model])
        #expect(file.findings().map(\.id) == ["payload-encrypted"])
        #expect(HexText.encode(file.header.bytes) == header)
    }

    @Test func `has the header that it was read from`() throws {
        for name in try Samples.names(in: "feasycom") {
            let bytes = try Samples.bytes(name)
            #expect(try FBeaconFile(parsing: bytes).header.bytes[...] == bytes.prefix(32), "\(name)")
        }
    }

    @Test(arguments: ["bp102", "bt909", "all-records"])
    func `of the open kind is written again byte for byte`(_ name: String) throws {
        let file = try FBeaconFile(parsing: try Samples.bytes("feasycom/\(name).fbu"))
        let container = try #require(OpenContainer(file))
        #expect(try container.file() == file)
        #expect(try container.file().bytes == file.bytes)
    }

    @Test func `of the vendor, or with an error, is not an open container`() throws {
        let vendor = try FBeaconFile(parsing: try Samples.bytes("feasycom/vendor-like.dfu"))
        #expect(OpenContainer(vendor) == nil)
        let damaged = try FBeaconFile(parsing: try Samples.bytes("malformed/fbeacon-body-crc.fbu"))
        #expect(OpenContainer(damaged) == nil)
    }
}

@Suite struct `An open container` {
    private func container(_ records: [ExtensionRecord], payload: [UInt8] = [1]) -> OpenContainer {
        OpenContainer(versions: 1...2, modelNumber: 0, records: records, payload: payload)
    }

    @Test func `is built from its fields`() throws {
        let model = try #require(ExtensionRecord(.modelType, Array("BP102".utf8)))
        let payload = (0..<2048).map { UInt8($0 & 0xFF) }
        let container = OpenContainer(
            bootloader: 651, versions: 800...840, modelNumber: 21, records: [model], payload: payload)
        #expect(try container.file().bytes == (try Samples.bytes("feasycom/bp102.fbu")))
    }

    @Test func `is not built in an unreadable form`() throws {
        let model = try #require(ExtensionRecord(.modelType, [0x41]))
        let mine = ExtensionRecord.Kind(rawValue: 0x80)
        let secret = try #require(ExtensionRecord(mine, []))
        #expect(throws: OpenContainerError.emptyPayload) { try container([], payload: []).file() }
        #expect(throws: OpenContainerError.repeatedRecord(.modelType)) {
            try container([model, model]).file()
        }
        #expect(throws: OpenContainerError.privateRecord(mine)) { try container([secret]).file() }
        let large = try (6..<23).map {
            try #require(
                ExtensionRecord(ExtensionRecord.Kind(rawValue: $0), [UInt8](repeating: 0, count: 255)))
        }
        #expect(throws: OpenContainerError.extensionTooLarge(bytes: 17 * 257, limit: 4096)) {
            try container(large).file()
        }
    }

    @Test func `refuses a record whose value does not fit its type`() {
        let long = [UInt8](repeating: 0x41, count: 33)
        #expect(ExtensionRecord(.modelType, []) == nil)
        #expect(ExtensionRecord(.modelType, long) == nil)
        #expect(ExtensionRecord(.modelType, [0x0A]) == nil)
        #expect(ExtensionRecord(.versionText, [0xFF]) == nil)
        #expect(ExtensionRecord(.versionText, long) == nil)
        #expect(ExtensionRecord(.note, long) != nil)
        #expect(ExtensionRecord(.builtAt, [1, 2, 3]) == nil)
        #expect(ExtensionRecord(.payloadSHA256, long) == nil)
        #expect(ExtensionRecord(ExtensionRecord.Kind(rawValue: 9), [UInt8](repeating: 0, count: 256)) == nil)
    }
}

@Suite struct `A model number` {
    @Test func `has one name, two, or none`() {
        #expect(ModelNumber(rawValue: 21).names == ["BP102"])
        #expect(ModelNumber(rawValue: 20).names == ["BT909"])
        #expect(ModelNumber(rawValue: 36).names == ["BP120", "BT836B"])
        #expect(ModelNumber(rawValue: 39).names == ["BP108", "BT926B"])
        #expect(ModelNumber(rawValue: 40).names == ["BP108N", "BT966"])
        #expect(ModelNumber(rawValue: 41).names == ["BP103B", "BT721B"])
        #expect(ModelNumber(rawValue: 0).names == [])
        #expect(ModelNumber(rawValue: 43).names == [])
    }

    @Test func `is one of 12 beacons or 44 modules`() {
        let all = (0...UInt16(255)).map(ModelNumber.init)
        #expect(all.count { $0.beacon != nil } == 12)
        #expect(all.count { $0.module != nil } == 44)
    }
}
