import FirmwareModel
import Foundation
import TestSupport
import Testing

@testable import Catalogue

@Suite struct `The published schema` {
    private static func schema() throws -> [String: Any] {
        let bytes = try Samples.file(at: Samples.root + "/manifests/catalogue.schema.json")
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private static func properties(_ name: String?) throws -> [String: Any] {
        let schema = try schema()
        let definitions = try #require(schema["$defs"] as? [String: Any])
        let object = try #require(name.map { definitions[$0] } ?? schema) as? [String: Any]
        #expect(object?["additionalProperties"] as? Bool == false)
        return try #require(object?["properties"] as? [String: Any])
    }

    private static func words(_ key: String, of name: String) throws -> [String] {
        let value = try properties(name)[key] as? [String: Any]
        return try #require(value?["enum"] as? [String])
    }

    @Test func `has the keys that are read, and no others`() throws {
        #expect(try Self.properties(nil).keys.sorted() == CatalogueFile.keys.sorted())
        let model = Set(CatalogueModel.ownKeys + CatalogueModel.vendorKeys.map(\.name))
        #expect(try Set(Self.properties("model").keys) == model)
        #expect(try Self.properties("recognition").keys.sorted() == Recognition.keys.sorted())
        #expect(try Self.properties("flash").keys.sorted() == FlashSetting.names)
        #expect(try Self.properties("firmware").keys.sorted() == CatalogueFirmware.keys.sorted())
    }

    @Test func `has the words that are read, and no others`() throws {
        #expect(try Set(Self.words("kind", of: "model")) == Set(CatalogueModel.kinds.map(\.rawValue)))
        #expect(try Self.words("versions", of: "model") == VersionScheme.allCases.map(\.rawValue))
        #expect(try Self.words("version_from", of: "model") == VersionSource.allCases.map(\.rawValue))
        #expect(try Self.words("channel", of: "firmware") == CatalogueChannel.allCases.map(\.rawValue))
        #expect(
            try Self.words("urgency", of: "firmware") == CatalogueFirmware.Urgency.allCases.map(\.rawValue))
    }

    @Test func `and the page name every key and every scheme`() throws {
        let page = String(
            decoding: try Samples.file(at: Samples.root + "/docs/formats/catalogue.md"), as: UTF8.self)
        let keys =
            CatalogueFile.keys + CatalogueModel.ownKeys + CatalogueModel.vendorKeys.map(\.name)
            + Recognition.keys + FlashSetting.names + CatalogueFirmware.keys
            + VersionScheme.allCases.map(\.rawValue) + VersionSource.allCases.map(\.rawValue)
        #expect(keys.filter { !page.contains("`\($0)`") } == [])
    }
}

@Suite struct `The catalogue of the samples` {
    private static func samples() throws -> Catalogue {
        try Catalogue(files: [
            ("samples.yaml", try Samples.file(at: Samples.root + "/manifests/samples.yaml"))
        ])
    }

    @Test func `has no flaw, and packages that are what their entries say`() throws {
        let catalogue = try Self.samples()
        #expect(catalogue.flaws == [])
        for model in catalogue.models {
            for release in model.firmware {
                let file = try #require(release.file).replacing("../firmware-samples/", with: "")
                #expect(release.flaws(of: try Samples.bytes(file), for: model) == [])
            }
        }
    }

    @Test func `differs from an earlier one by what was added, changed, withdrawn and removed`() throws {
        let old = try catalogue(
            """
              - {model: A, kind: suota, firmware: [{version: 1}, {version: 2}, {version: 3}]}
              - {model: B, kind: suota}

            """)
        let new = try catalogue(
            """
              - model: A
                kind: suota
                header: 58x
                firmware: [{version: 2, withdrawn: bad}, {version: 3, notes: x}, {version: 4}]
              - {model: C, kind: suota}

            """)
        #expect(old.changes(since: old) == [])
        let words = new.changes(since: old).map { change in
            "\(change.kind.rawValue) \(change.model) \(change.version ?? "-") \(change.keys.joined(separator: " "))"
        }
        #expect(
            words == [
                "removed B - ", "changed A - header", "removed A 1 ", "withdrawn A 2 withdrawn",
                "changed A 3 notes", "added A 4 ", "added C - ",
            ])
    }
}
