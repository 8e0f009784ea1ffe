import Firmware
import FoundationEssentials
import TestSupport
import Testing
import UpdateModel

/// The vectors for first bytes that stay outside the repository.
struct GoldenSignature: Decodable {
    struct Group: Decodable { let signatures: [GoldenSignature] }
    struct Document: Decodable { let suota: Group }

    let name, firstBytes, expect: String
    let hint: String?

    static let isThere = Samples.vectors("suota.json") != nil

    static func all() throws -> [GoldenSignature] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Document.self, from: Data(Samples.vectors("suota.json") ?? [])).suota
            .signatures
    }
}

@Suite(.enabled(if: GoldenSignature.isThere, "there are no vectors next to the repository"))
struct `The golden first bytes` {
    @Test func `name the kinds that are foreign`() throws {
        for vector in try GoldenSignature.all() where !["zip", "fbeacon"].contains(vector.expect) {
            guard case .unsupported(let file) = try PackageFile(recognising: [UInt8](hex: vector.firstBytes))
            else {
                Issue.record("\(vector.name)")
                continue
            }
            #expect(file.kind.rawValue == vector.expect, "\(vector.name)")
            #expect(file.hint.description.contains(vector.hint ?? ""), "\(vector.name)")
        }
    }

    @Test func `are not sufficient for the kinds that are read`() throws {
        for vector in try GoldenSignature.all() where vector.expect == "fbeacon" {
            guard case .unsupported(let file) = try PackageFile(recognising: [UInt8](hex: vector.firstBytes))
            else {
                Issue.record("\(vector.name)")
                continue
            }
            // Two letters of text; a mark without its counterpart.
            #expect(file.kind == .unknown)
        }
    }
}
