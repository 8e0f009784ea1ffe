import Foundation
import TestSupport
import Testing
import UpdateModel

@testable import Firmware

private let schema = PublishedSchema("manifests/catalogue.schema.json")

@Suite struct `The published schema` {
    @Test func `has the keys that are read, and no others`() throws {
        #expect(try schema.properties(nil).keys.sorted() == CatalogueFile.keys.sorted())
        let model = Set(CatalogueFamily.ownKeys + CatalogueFamily.vendorKeys.map(\.name))
        #expect(try Set(schema.properties("model").keys) == model)
        #expect(try schema.properties("recognition").keys.sorted() == FamilyCriteria.keys.sorted())
        #expect(try schema.properties("flash").keys.sorted() == FlashSetting.names)
        #expect(try schema.properties("firmware").keys.sorted() == CatalogueFirmware.keys.sorted())
    }

    @Test func `has the words that are read, and no others`() throws {
        #expect(try Set(schema.words("kind", of: "model")) == Set(CatalogueFamily.kinds.map(\.rawValue)))
        #expect(try schema.words("versions", of: "model") == VersionScheme.allCases.map(\.rawValue))
        #expect(try schema.words("version_from", of: "model") == VersionSource.allCases.map(\.rawValue))
        #expect(try schema.words("channel", of: "firmware") == CatalogueChannel.allCases.map(\.rawValue))
        #expect(
            try schema.words("urgency", of: "firmware") == CatalogueFirmware.Urgency.allCases.map(\.rawValue))
    }

    @Test func `and the page name every key and every scheme`() throws {
        let page = String(
            decoding: try Samples.file(at: Samples.root + "/docs/formats/catalogue.md"), as: UTF8.self)
        let keys =
            CatalogueFile.keys + CatalogueFamily.ownKeys + CatalogueFamily.vendorKeys.map(\.name)
            + FamilyCriteria.keys + FlashSetting.names + CatalogueFirmware.keys
            + VersionScheme.allCases.map(\.rawValue) + VersionSource.allCases.map(\.rawValue)
        #expect(keys.filter { !page.contains("`\($0)`") } == [])
    }
}

/// Python's jsonschema, if it is installed, with PyYAML.
@Suite struct `A schema validator` {
    @Test(.enabled(if: PublishedSchema.hasValidator, "jsonschema is not installed for python3"))
    func `accepts the catalogues that are read, and no others`() throws {
        let folder = Samples.root + "/manifests"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            $0.hasSuffix(".yaml")
        }
        #expect(try schema.flaws(in: names.map { "\(folder)/\($0)" }) == names.map { _ in 0 })
        try Tool.inFolder { folder in
            let models = [
                "{model: A, kind: suota, colour: red}", "{model: A, kind: vendor-only}",
                "{model: A, kind: suota, firmware: [{version: 1, file: a.img}]}",
                "{model: A, kind: suota, recognised_by: {}}", "{model: A, kind: suota, flash: {pinz: x}}",
                "{model: A, kind: suota, minimum_battery: 101}", "{kind: suota}",
            ]
            let paths = try models.enumerated().map { number, model in
                #expect(throws: CatalogueError.self) { try catalogue("  - \(model)\n") }
                return try Tool.write(
                    Array("catalogue: 1\nmodels:\n  - \(model)\n".utf8), as: "\(number).yaml", in: folder)
            }
            let flaws = try schema.flaws(in: paths)
            #expect(flaws.allSatisfy { $0 > 0 } && flaws.count == models.count)
        }
    }
}

@Suite struct `The catalogue of the samples` {
    private static func samples() throws -> Catalogue {
        try Catalogue(files: [
            ("samples.yaml", try Samples.file(at: Samples.root + "/manifests/samples.yaml"))
        ])
    }

    @Test func `has no finding, and packages that match their entries`() throws {
        let catalogue = try Self.samples()
        #expect(catalogue.findings == [])
        for model in catalogue.families {
            for release in model.firmware {
                let file = try #require(release.file).replacing("../firmware-samples/", with: "")
                #expect(release.findings(on: try Samples.bytes(file), for: model) == [])
            }
        }
    }

    @Test func `lists what was added, changed, withdrawn and removed since an earlier one`() throws {
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

    @Test func `pairs releases of one version in order`() throws {
        let old = try catalogue(
            """
              - {model: A, kind: suota, firmware: [{version: 2, channel: beta}, {version: 2, notes: new}]}
            """)
        let new = try catalogue(
            """
              - {model: A, kind: suota, firmware: [{version: 2, channel: beta}, {version: 2, withdrawn: bad}]}
            """)
        #expect(old.changes(since: old) == [])
        #expect(
            new.changes(since: old).map { "\($0.kind) \($0.keys)" } == [
                "withdrawn [\"withdrawn\", \"notes\"]"
            ])
    }
}
