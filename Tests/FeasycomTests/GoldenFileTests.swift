import Bytes
import Feasycom
import FoundationEssentials
import TestSupport
import Testing
import UpdateModel

/// The vectors for Feasycom files that stay outside the repository.
struct GoldenFiles: Decodable {
    struct Header: Decodable {
        let label, headerHex, binCrc, headerCrc, model: String
        let bootloader, length, versionStart, versionEnd, modelTypeNum, field16, fileSize: Int
    }
    struct Invalid: Decodable { let name, headerHex, expect: String }
    struct Container: Decodable {
        let label, headerHex, extensionHex, binCrc, bodyCrc32, headerCrc: String
        let fileSize, length, bootloader, versionStart, versionEnd, modelTypeNum: Int
        let modelType: String?
    }
    struct Case: Decodable { let name, headerHex, bodyHex, expect: String }
    struct Document: Decodable { let feasycom: GoldenFiles }

    let vendorHeaders: [Header]
    let invalidHeaders: [Invalid]
    let container: [Container]
    let containerCases: [Case]

    static let isThere = Samples.vectors("suota.json") != nil

    static func read() throws -> GoldenFiles {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Document.self, from: Data(Samples.vectors("suota.json") ?? [])).feasycom
    }
}

@Suite(.enabled(if: GoldenFiles.isThere, "there are no vectors next to the repository"))
struct `The golden Feasycom vectors` {
    @Test func `are read field by field`() throws {
        for vector in try GoldenFiles.read().vendorHeaders {
            let payload = [UInt8](repeating: 0x5A, count: vector.length)
            let file = try FBeaconFile(parsing: [UInt8](hex: vector.headerHex) + payload)
            let header = file.header
            #expect(header.container == .vendor)
            #expect(header.crcMatches)
            #expect(header.crc == UInt16(vector.headerCrc, radix: 16))
            #expect(header.binCRC == UInt16(vector.binCrc, radix: 16))
            #expect(
                [header.bootloader, header.versionStart, header.versionEnd, header.modelNumber].map(Int.init)
                    == [vector.bootloader, vector.versionStart, vector.versionEnd, vector.modelTypeNum])
            #expect(Int(header.uploadModel) == vector.field16)
            #expect(ModelNumber(rawValue: header.modelNumber).names.contains(vector.model))
            #expect(file.bytes.count == vector.fileSize)
        }
    }

    @Test func `have the fields that the vendor's SDK returns`() throws {
        let golden = try GoldenFiles.read()
        for vector in golden.vendorHeaders {
            let payload = [UInt8](repeating: 0x5A, count: vector.length)
            let found = try FBeaconFile(parsing: [UInt8](hex: vector.headerHex) + payload).inspection.facts
            let start = Fact.integer(vector.versionStart)
            #expect(found["bootloader"] == .integer(vector.bootloader))
            #expect(found["length"] == .integer(vector.length))
            #expect(found["version_range"] == .list([start, .integer(vector.versionEnd)]))
            #expect(found["model_type_num"] == .integer(vector.modelTypeNum))
            #expect(found["upload_model"] == .integer(vector.field16))
            #expect(found["bin_crc"] == Self.digits(vector.binCrc))
            #expect(found["crc"] == Self.digits(vector.headerCrc))
            #expect(found["model_type"] == .absent)
        }
        for vector in golden.container {
            let payload = (0..<vector.length).map { UInt8($0 & 0xFF) }
            let bytes = [UInt8](hex: vector.headerHex) + [UInt8](hex: vector.extensionHex) + payload
            let found = try FBeaconFile(parsing: bytes).inspection.facts
            #expect(found["model_type"] == .optional(vector.modelType))
            #expect(found["bin_crc"] == Self.digits(vector.binCrc))
            #expect(found["crc"] == Self.digits(vector.headerCrc))
            #expect(found["length"] == .integer(vector.length))
        }
    }

    private static func digits(_ text: String) -> Fact? {
        UInt16(text, radix: 16).map { .text(HexText.digits($0)) }
    }

    @Test func `of open containers are read and written again`() throws {
        for vector in try GoldenFiles.read().container {
            let payload = (0..<vector.length).map { UInt8($0 & 0xFF) }
            let bytes = [UInt8](hex: vector.headerHex) + [UInt8](hex: vector.extensionHex) + payload
            let file = try FBeaconFile(parsing: bytes)
            #expect(!file.findings().contains { $0.level == .error })
            #expect(bytes.count == vector.fileSize)
            #expect(file.modelType == vector.modelType)
            #expect(file.header.openFields?.bodyCRC == UInt32(vector.bodyCrc32, radix: 16))
            #expect(try OpenContainer(file)?.file() == file)
        }
    }

    @Test func `are refused for the reason that they name`() throws {
        let golden = try GoldenFiles.read()
        for vector in golden.containerCases {
            #expect(
                code([UInt8](hex: vector.headerHex) + [UInt8](hex: vector.bodyHex)) == vector.expect,
                "\(vector.name)")
        }
        for vector in golden.invalidHeaders {
            #expect(
                code([UInt8](hex: vector.headerHex) + [UInt8](repeating: 0, count: 114_688)) == vector.expect,
                "\(vector.name)")
        }
    }

    private func code(_ bytes: [UInt8]) -> String {
        do throws(FBeaconFileError) {
            return try FBeaconFile(parsing: bytes).findings().first { $0.level == .error }?.id ?? "ok"
        } catch { return error.code.rawValue }
    }
}
