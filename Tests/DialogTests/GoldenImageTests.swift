import Bytes
import Dialog
import FoundationEssentials
import TestSupport
import Testing
import UpdateModel

/// The vectors for Dialog files that stay outside the repository.
struct GoldenImages: Decodable {
    struct Image: Decodable {
        let label, type, headerHex, payload, payloadCrc32, version, versionRawHex, xorTrailer: String
        let payloadOffset, payloadSize, fileSize, timestamp, uploadSize: Int
    }
    struct Invalid: Decodable {
        let name, headerHex, expect: String
        let payloadBytes: Int?
    }
    struct VersionText: Decodable { let rawHex, text: String }
    struct VersionFile: Decodable { let defined, version: String }
    struct Document: Decodable { let suota: GoldenImages }

    let images: [Image]
    let invalidImages: [Invalid]
    let versionText: [VersionText]
    let versionFile: [VersionFile]

    static let isThere = Samples.vectors("suota.json") != nil

    static func read() throws -> GoldenImages {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Document.self, from: Data(Samples.vectors("suota.json") ?? [])).suota
    }
}

@Suite(.enabled(if: GoldenImages.isThere, "there are no vectors next to the repository"))
struct `The golden Dialog vectors` {
    private func payload(_ size: Int) -> [UInt8] {
        size == 26936 ? (0..<size).map { UInt8($0 % 251) } : (0..<size).map { UInt8($0 & 0xFF) }
    }

    @Test func `are read field by field`() throws {
        let golden = try GoldenImages.read()
        #expect(golden.images.count == 5)
        for vector in golden.images {
            let header = [UInt8](hex: vector.headerHex)
            let gap = [UInt8](repeating: 0xFF, count: vector.payloadOffset - header.count)
            let image = try SUOTAImage(parsing: header + gap + payload(vector.payloadSize))
            #expect(image.header.family.rawValue == vector.type)
            #expect(image.header.payloadOffset == vector.payloadOffset)
            #expect(Int(image.header.codeSize) == vector.payloadSize)
            #expect(image.payloadCRC == UInt32(vector.payloadCrc32, radix: 16))
            #expect(image.bytes.count == vector.fileSize)
            #expect(image.bytes.count + 1 == vector.uploadSize)
            #expect(image.header.version.text == vector.version)
            #expect(HexText.encode(image.header.version.bytes) == vector.versionRawHex)
            #expect(Int(image.header.timestamp) == vector.timestamp)
            #expect(image.trailer == UInt8(vector.xorTrailer, radix: 16))
            #expect(image.flaws == [], "\(vector.label)")
        }
    }

    @Test func `are refused for the reason that they name`() throws {
        for vector in try GoldenImages.read().invalidImages {
            let header = [UInt8](hex: vector.headerHex)
            // The vector without a size of its own announces none.
            let size = vector.payloadBytes ?? (vector.expect == "empty-payload" ? 0 : 1024)
            do throws(SUOTAImageError) {
                let image = try SUOTAImage(parsing: header + payload(size))
                #expect(image.flaws.map(\.id) == [vector.expect], "\(vector.name)")
            } catch {
                #expect(error.code.rawValue == vector.expect, "\(vector.name)")
            }
        }
    }

    @Test func `give versions as they are written`() throws {
        let golden = try GoldenImages.read()
        for vector in golden.versionText {
            var reader = ByteReader([UInt8](hex: vector.rawHex))
            #expect(try ImageVersion(parsing: &reader).text == vector.text)
        }
        for vector in golden.versionFile {
            #expect(ImageVersion(definition: vector.defined)?.text == vector.version)
        }
    }
}
