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

/// Python's jsonschema, where somebody has installed it, with PyYAML.
@Suite struct `A validator of schemas` {
    private static let isThere = (try? Tool.run(["python3", "-c", "import jsonschema, yaml"]).status) == 0

    /// The verdict on each file: 0 where the schema lets it pass.
    private static func verdicts(_ files: [String]) throws -> [String] {
        let script = """
            import json, sys, yaml
            from jsonschema import Draft202012Validator as Validator
            schema = json.load(open(sys.argv[1]))
            Validator.check_schema(schema)
            for path in sys.argv[2:]:
                print(sum(1 for _ in Validator(schema).iter_errors(yaml.safe_load(open(path)))))
            """
        let schema = Samples.root + "/manifests/catalogue.schema.json"
        return try Tool.run(["python3", "-c", script, schema] + files).text.split(separator: "\n").map(
            String.init)
    }

    @Test(.enabled(if: isThere, "jsonschema is not installed for python3"))
    func `takes the catalogues that are read, and no others`() throws {
        let folder = Samples.root + "/manifests"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            $0.hasSuffix(".yaml")
        }
        #expect(try Self.verdicts(names.map { "\(folder)/\($0)" }) == names.map { _ in "0" })
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
            #expect(try Self.verdicts(paths).allSatisfy { $0 != "0" })
            #expect(try Self.verdicts(paths).count == models.count)
        }
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

    @Test func `of releases of one version compares the first with the first`() throws {
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
