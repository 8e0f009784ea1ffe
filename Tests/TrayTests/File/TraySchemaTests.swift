import Catalogue
import Foundation
import TestSupport
import Testing

@testable import Tray

@Suite struct `The published schema of trays` {
    private static let path = Samples.root + "/manifests/trays/tray.schema.json"

    private static func properties(_ name: String?) throws -> [String: Any] {
        let bytes = try Samples.file(at: path)
        let schema = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        let definitions = try #require(schema["$defs"] as? [String: Any])
        let object = try #require(name.map { definitions[$0] } ?? schema) as? [String: Any]
        #expect(object?["additionalProperties"] as? Bool == false)
        return try #require(object?["properties"] as? [String: Any])
    }

    private static func words(_ key: String, of name: String?) throws -> [String] {
        try #require((properties(name)[key] as? [String: Any])?["enum"] as? [String])
    }

    private static func range(_ key: String, of name: String) throws -> ClosedRange<Int> {
        let value = try properties(name)[key] as? [String: Any]
        return try #require(value?["minimum"] as? Int)...#require(value?["maximum"] as? Int)
    }

    @Test func `has the keys that are read, and no others`() throws {
        #expect(try Self.properties(nil).keys.sorted() == TrayFile.keys.sorted())
        #expect(try Self.properties("slot").keys.sorted() == TraySlot.keys.sorted())
        #expect(try Self.properties("rule").keys.sorted() == TrayRule.keys.sorted())
        #expect(try Self.properties("limits").keys.sorted() == TrayLimits.keys.sorted())
        #expect(try Self.properties("catalogue").keys.sorted() == TrayFirmware.catalogueKeys.sorted())
    }

    @Test func `has the words and ranges that are read, and no others`() throws {
        #expect(try Self.words("order", of: nil) == TrayOrder.allCases.map(\.rawValue))
        #expect(try Self.words("channel", of: "catalogue") == CatalogueChannel.allCases.map(\.rawValue))
        #expect(try Self.words("vendor", of: "rule") == TrayRule.vendors)
        #expect(try Self.range("rssi_above", of: "rule") == TrayRule.rssi)
        #expect(try Self.range("expected", of: "rule") == TrayFile.counts)
        #expect(try Self.range("links", of: "limits") == TrayLimits.links)
        #expect(try Self.range("attempts", of: "limits") == TrayLimits.attempts)
        #expect(try Self.range("failure_percent", of: "limits") == TrayLimits.percents)
        #expect(try Self.range("unit_s", of: "limits") == TrayLimits.seconds)
        #expect(try Self.range("tray_s", of: "limits") == TrayLimits.seconds)
    }

    @Test func `and the page name every key, word and override`() throws {
        let page = String(
            decoding: try Samples.file(at: Samples.root + "/docs/formats/tray.md"), as: UTF8.self)
        let keys =
            TrayFile.keys + TraySlot.keys + TrayRule.keys + TrayLimits.keys + TrayFirmware.catalogueKeys
            + TrayOrder.allCases.map(\.rawValue) + CatalogueChannel.allCases.map(\.rawValue)
            + ScanOverride.allCases.map(\.rawValue)
        #expect(keys.filter { !page.contains("`\($0)`") } == [])
    }
}

/// Python's jsonschema, where somebody has installed it, with PyYAML.
@Suite struct `A validator of the schema of trays` {
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
        let schema = Samples.root + "/manifests/trays/tray.schema.json"
        return try Tool.run(["python3", "-c", script, schema] + files).text.split(separator: "\n").map(
            String.init)
    }

    private static let taken = [
        "firmware: a\nslots: [{slot: 12}, {slot: A2, device: 'id:x', catalogue: {folder: c}}]",
        "slots: [{slot: A1, firmware: a}]", "catalogue: {folder: c}\nrule: {vendor: kkm, expected: 2}",
        "firmware: a\nrule: {name: x}\nlimits: {links: 8, tray_s: 60}\norder: listed\norder_number: 17",
    ]

    private static let refused = [
        "slots: [{slot: A1}]", "firmware: a", "firmware: a\nslots: []", "firmware: a\nrule: {}",
        "firmware: a\ncatalogue: {folder: c}\nrule: {name: x}", "firmware: a\nrule: {vendor: nobody}",
        "firmware: a\nslots: [{slot: A1}]\nrule: {name: x}", "rule: {name: x}",
        "firmware: a\nslots: [{slot: A1, colour: red}]", "firmware: a\nslots: [{device: x}]",
        "firmware: a\nslots: [{slot: A1, firmware: a, catalogue: {folder: c}}]", "slots: [{slot: ''}]",
        "slots: [{slot: A1, firmware: a}, {slot: A2}]", "catalogue: {channel: beta}\nrule: {name: x}",
        "firmware: a\nrule: {name: x}\nlimits: {links: 65}", "firmware: a\nrule: {name: x}\norder: first",
    ]

    @Test(.enabled(if: isThere, "jsonschema is not installed for python3"))
    func `takes the trays that are read, and no others`() throws {
        #expect(try Self.verdicts([Samples.root + "/manifests/trays/sample.yaml"]) == ["0"])
        try Tool.inFolder { folder in
            func file(_ number: Int, _ bytes: [UInt8]) throws -> String {
                try Tool.write(bytes, as: "\(number).yaml", in: folder)
            }
            let read = try Self.taken.enumerated().flatMap { number, lines in
                let written = Array(try tray(lines).text.utf8)
                return try [file(number * 2, trayBytes(lines)), file(number * 2 + 1, written)]
            }
            #expect(try Self.verdicts(read) == read.map { _ in "0" })
            let others = try Self.refused.enumerated().map { number, lines in
                #expect(throws: (any Error).self, "\(lines)") { try tray(lines) }
                return try file(100 + number, trayBytes(lines))
            }
            let verdicts = try Self.verdicts(others)
            #expect(zip(verdicts, Self.refused).filter { $0.0 == "0" }.map(\.1) == [])
            #expect(verdicts.count == others.count)
        }
    }
}
