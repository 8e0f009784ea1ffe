import Bytes
import Dialog
import TestSupport
import Testing
import UpdateModel

@Suite struct `A damaged SUOTA image` {
    /// One small image of each family.
    static func images() throws -> [SUOTAImage] {
        guard let version = ImageVersion("1.0") else { return [] }
        let headers: [ImageRecipe.Header] = [
            .da1458x(), .da1468x(), .da1468x(payloadOffset: 40), .da1469x(payloadOffset: 48),
        ]
        return try headers.map {
            try ImageRecipe($0, version: version, timestamp: 1_700_000_000, payload: Array(1...32)).image()
        }
    }

    @Test func `is refused at every length, with an offset`() throws {
        for image in try Self.images() {
            for prefix in Corruption.prefixes(of: image.bytes) {
                let error = refusal(of: prefix)
                #expect(error?.code == (prefix.count < 2 ? "not-suota" : "file-truncated"))
                #expect((0...prefix.count).contains(error?.offset ?? -1), "\(prefix.count) bytes")
            }
        }
    }

    /// The bytes that the checks of lengths and of the CRC protect; the rest of a header may have any value.
    private func isProtected(_ index: Int, in image: SUOTAImage) -> Bool {
        let family = image.header.family
        let fields = [0..<2, family.codeSizeOffset..<family.codeSizeOffset + 8]
        let location = family.payloadOffsetField.map { [$0.offset..<$0.offset + 4] } ?? []
        return (fields + location).contains { $0.contains(index) } || index >= image.header.payloadOffset
    }

    @Test func `with any protected byte changed is refused, or has an error`() throws {
        for image in try Self.images() {
            for (index, changed) in Corruption.flips(of: image.bytes) {
                do throws(SUOTAImageError) {
                    let found = try SUOTAImage(parsing: changed)
                    let errors = found.findings().filter { $0.level == .error }
                    let isEncryptionBit = image.header.family == .da1458x && index == 32
                    #expect(
                        errors.isEmpty != isProtected(index, in: image) || isEncryptionBit, "byte \(index)")
                    for finding in found.findings() {
                        #expect((0...changed.count).contains(finding.place.offset ?? -1), "byte \(index)")
                    }
                } catch {
                    #expect(isProtected(index, in: image), "byte \(index): \(error)")
                    #expect((0...changed.count).contains(error.offset), "byte \(index): \(error)")
                }
            }
        }
    }

    @Test func `with bytes after its end has an error there`() throws {
        for image in try Self.images() {
            for more in [[0], [1, 2], [UInt8](repeating: 0xFF, count: 16)] {
                let found = try SUOTAImage(parsing: image.bytes + more)
                #expect(found.flaws.map(\.id) == ["trailing-bytes"])
                #expect(found.flaws.map(\.place.offset) == [image.bytes.count])
                #expect(Array(found.trailing) == more)
            }
        }
    }

    /// Samples, and the error of reading them.
    static let unreadable: [(String, SUOTAImageError)] = [
        ("suota-truncated", truncated(64, "payload", 1024, 1023)),
        ("suota-header-truncated", truncated(30, "pointer to the vector table", 4, 3)),
        ("suota-absurd-size", truncated(64, "payload", 16_777_217, 1024)),
        (
            "suota-offset-inside-header",
            .payloadInsideHeader(field: "exec location", offset: 32, found: 35, minimum: 36)
        ),
        ("dialog-multi-part", .unknownSignature),
    ]

    @Test(arguments: unreadable)
    func `is refused for its one defect`(_ name: String, _ expected: SUOTAImageError) throws {
        #expect(refusal(of: try Samples.bytes("malformed/\(name).img")) == expected)
    }

    /// Samples that can be shown, with their one finding.
    static let flawed: [(String, String, Int, String)] = [
        ("suota-crc-mismatch", "image-crc-mismatch", 8, "CRC-32"),
        ("suota-trailing-bytes", "trailing-bytes", 1060, "end of the image"),
        ("suota-upload-trailer", "trailing-bytes", 1088, "end of the image"),
        ("suota-empty-payload", "empty-payload", 4, "code size"),
    ]

    /// Samples that devices accept, with their one note or warning.
    static let odd: [(String, FindingLevel, Int, String)] = [
        ("timestamp-missing", .note, 28, "timestamp"), ("timestamp-implausible", .warning, 26, "timestamp"),
        ("version-missing", .warning, 12, "version"), ("version-not-text", .note, 12, "version"),
        ("section-truncated", .warning, 40, "extension section"),
        ("section-repeated", .warning, 38, "extension section"),
        ("extension-unknown", .note, 40, "header extension"),
    ]

    @Test(arguments: odd)
    func `that no device refuses has its oddity as the only finding`(
        _ id: String, _ level: FindingLevel, _ offset: Int, _ field: String
    ) throws {
        let findings = try SUOTAImage(parsing: try Samples.bytes("malformed/suota-\(id).img")).flaws
        #expect(findings.map(\.id) == [id])
        #expect(findings.map(\.level) == [level])
        #expect(findings.map(\.place.offset) == [offset])
        #expect(findings.map(\.place.field) == [field])
    }

    @Test func `with a signature is not reported as unsigned`() throws {
        let image = try SUOTAImage(parsing: try Samples.bytes("malformed/suota-signature-unchecked.img"))
        #expect(image.findings().map(\.id) == ["signature-unchecked"])
        #expect(image.findings().map(\.place.offset) == [34])
        // An empty signature does not count.
        var bytes = image.bytes
        bytes[36] = 0
        #expect(try SUOTAImage(parsing: bytes).findings().map(\.id).contains("unauthenticated"))
    }

    @Test func `that is large names the devices that it is too large for`() throws {
        let image = try SUOTAImage(parsing: try Samples.bytes("malformed/suota-exceeds-small-flash.img"))
        #expect(image.flaws.map(\.id) == ["image-exceeds-small-flash"])
        #expect(image.flaws.first?.message.contains("DA14531 module, 1 Mbit: 49088") == true)
        #expect(image.flaws.first?.message.contains("73664") == false)
    }

    @Test(arguments: flawed)
    func `can be shown with its one error`(
        _ name: String, _ id: String, _ offset: Int, _ field: String
    ) throws {
        let findings = try SUOTAImage(parsing: try Samples.bytes("malformed/\(name).img")).flaws
        #expect(findings.map(\.id) == [id])
        #expect(findings.map(\.level) == [.error])
        #expect(findings.map(\.place.offset) == [offset])
        #expect(findings.map(\.place.field) == [field])
    }

    @Test func `with an upload's trailer has a finding for it`() throws {
        let image = try SUOTAImage(parsing: try Samples.bytes("malformed/suota-upload-trailer.img"))
        #expect(image.findings().first?.message.contains("XOR trailer") == true)
        let other = try SUOTAImage(parsing: try Samples.bytes("malformed/suota-trailing-bytes.img"))
        #expect(other.findings().first?.message == "2 bytes follow")
    }

    private static func truncated(
        _ offset: Int, _ field: String, _ needed: Int, _ available: Int
    ) -> SUOTAImageError {
        .bytes(
            ByteError(offset: offset, field: field, reason: .truncated(needed: needed, available: available)))
    }

    private func refusal(of bytes: [UInt8]) -> SUOTAImageError? {
        do throws(SUOTAImageError) {
            _ = try SUOTAImage(parsing: bytes)
            return nil
        } catch { return error }
    }
}

@Suite struct `A finding of a SUOTA image` {
    /// An image of `size` bytes of payload, with `changes` made to its bytes.
    private func findings(
        _ header: ImageRecipe.Header, size: Int = 16, changes: [Int: UInt8] = [:]
    ) throws -> [String] {
        let version = try #require(ImageVersion("1"))
        let payload = [UInt8](repeating: 1, count: size)
        var bytes = try ImageRecipe(header, version: version, timestamp: 1_700_000_000, payload: payload)
            .image().bytes
        for (index, value) in changes { bytes[index] = value }
        return try SUOTAImage(parsing: bytes).flaws.map { "\($0.level.rawValue) \($0.id)" }
    }

    @Test func `warns of images that no known flash holds`() throws {
        #expect(try findings(.da1458x(), size: 110_527) == ["note image-exceeds-small-flash"])
        #expect(try findings(.da1458x(), size: 73_664) == ["warning image-fills-bank"])
        #expect(try findings(.da1458x(), size: 49_089) == ["note image-exceeds-small-flash"])
        #expect(try findings(.da1458x(), size: 49_087) == [])
        #expect(try findings(.da1468x(), size: 49_089) == [])
        #expect(try findings(.da1458x(), size: 110_528) == ["warning image-fills-bank"])
        #expect(try findings(.da1458x(), size: 110_529) == ["warning image-exceeds-flash"])
        #expect(try findings(.da1458x(), size: 49088) == ["warning image-fills-bank"])
        #expect(try findings(.da1468x(), size: 241_664 - 36) == [])
        #expect(try findings(.da1468x(), size: 241_665 - 36) == ["warning image-exceeds-flash"])
        #expect(try findings(.da1469x(), size: 515_072 - 1024) == [])
        #expect(try findings(.da1469x(), size: 515_073 - 1024) == ["warning image-exceeds-flash"])
    }

    @Test func `names unusual fields`() throws {
        #expect(try findings(.da1458x(), changes: [2: 0xFF]) == ["note valid-flag-unusual"])
        #expect(try findings(.da1458x(), changes: [32: 2]) == ["note unknown-flags"])
        #expect(try findings(.da1458x(), changes: [63: 0]) == ["note unknown-flags"])
        #expect(try findings(.da1468x(), changes: [2: 0x0F]) == [])
        #expect(try findings(.da1468x(), changes: [2: 0x10]) == ["note unknown-flags"])
        #expect(try findings(.da1458x(), changes: [12: 0]) == ["warning version-missing"])
        #expect(try findings(.da1458x(), changes: [12: 7]) == ["note version-not-text"])
    }

    @Test(arguments: [
        (ImageRecipe.Header.da1458x(), [4, 8, 12]), (.da1468x(), [4, 8, 12]), (.da1469x(), [2, 6, 10]),
    ])
    func `has the offset of its field in each header`(_ header: ImageRecipe.Header, _ places: [Int]) throws {
        let version = try #require(ImageVersion("1"))
        let recipe = ImageRecipe(header, version: version, timestamp: 1_700_000_000, payload: [1, 2, 3])
        var bytes = try recipe.image().bytes
        bytes[places[1]] ^= 1
        bytes[places[2]] = 0
        let findings = try SUOTAImage(parsing: bytes).flaws
        #expect(findings.map(\.id) == ["image-crc-mismatch", "version-missing"])
        #expect(findings.map(\.place.offset) == [places[1], places[2]])
        for index in 0..<4 { bytes[places[0] + index] = 0 }
        let empty = try SUOTAImage(parsing: bytes).findings()
        #expect(empty.first?.id == "empty-payload")
        #expect(empty.first?.place.offset == places[0])
    }

    @Test(
        arguments: [
            (0, ["timestamp-missing"]), (1, ["timestamp-implausible"]),
            (1_262_303_999, ["timestamp-implausible"]), (1_262_304_000, []), (UInt32.max, []),
        ] as [(UInt32, [String])])
    func `warns of a time before such chips existed`(_ seconds: UInt32, _ ids: [String]) throws {
        for header in [ImageRecipe.Header.da1458x(), .da1468x(), .da1469x()] {
            let recipe = ImageRecipe(
                header, version: try #require(ImageVersion("1")), timestamp: seconds, payload: [1])
            let flaws = try recipe.image().flaws
            #expect(flaws.map(\.id) == ids)
            #expect(flaws.map(\.place.offset) == ids.map { _ in header == .da1469x() ? 26 : 28 })
        }
    }

    @Test func `is listed with errors first`() throws {
        #expect(
            try findings(.da1458x(), changes: [2: 0, 12: 0, 64: 0]) == [
                "error image-crc-mismatch", "warning version-missing", "note valid-flag-unusual",
            ])
    }

    @Test func `prints as one line with field and offset`() throws {
        let image = try SUOTAImage(parsing: try Samples.bytes("malformed/suota-crc-mismatch.img"))
        #expect(
            image.findings().first?.description
                == "CRC-32 at offset 8: is b70b4c27, the payload has b70b4c26")
    }
}
