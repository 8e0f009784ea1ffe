import Firmware
import Foundation
import TestSupport
import Testing

@testable import Tray

private let schema = PublishedSchema("manifests/trays/tray.schema.json")

@Suite struct `The published schema of trays` {
    @Test func `has the keys that are read, and no others`() throws {
        #expect(try schema.properties(nil).keys.sorted() == TrayFile.keys.sorted())
        #expect(try schema.properties("slot").keys.sorted() == TraySlot.keys.sorted())
        #expect(try schema.properties("rule").keys.sorted() == TrayRule.keys.sorted())
        #expect(try schema.properties("limits").keys.sorted() == TrayLimits.all.map(\.key).sorted())
        #expect(try schema.properties("catalogue").keys.sorted() == TrayFirmware.catalogueKeys.sorted())
    }

    @Test func `has the words and ranges that are read, and no others`() throws {
        #expect(try schema.words("order", of: nil) == TrayOrder.allCases.map(\.rawValue))
        #expect(try schema.words("channel", of: "catalogue") == CatalogueChannel.allCases.map(\.rawValue))
        #expect(try schema.words("vendor", of: "rule") == TrayRule.vendors)
        #expect(try schema.range("rssi_above", of: "rule") == TrayRule.rssi)
        #expect(try schema.range("expected", of: "rule") == TrayFile.counts)
        for (key, _, range) in TrayLimits.all { #expect(try schema.range(key, of: "limits") == range) }
    }

    @Test func `and the page name every key, word and override`() throws {
        let page = String(
            decoding: try Samples.file(at: Samples.root + "/docs/formats/tray.md"), as: UTF8.self)
        let keys =
            TrayFile.keys + TraySlot.keys + TrayRule.keys + TrayLimits.all.map(\.key)
            + TrayFirmware.catalogueKeys
            + TrayOrder.allCases.map(\.rawValue) + CatalogueChannel.allCases.map(\.rawValue)
            + ScanOverride.allCases.map(\.rawValue)
        #expect(keys.filter { !page.contains("`\($0)`") } == [])
    }
}

/// Python's jsonschema, if it is installed, with PyYAML.
@Suite struct `A validator with the schema of trays` {
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

    @Test(.enabled(if: PublishedSchema.hasValidator, "jsonschema is not installed for python3"))
    func `accepts the trays that are read, and no others`() throws {
        #expect(try schema.flaws(in: [Samples.root + "/manifests/trays/sample.yaml"]) == [0])
        try Tool.inFolder { folder in
            func file(_ number: Int, _ bytes: [UInt8]) throws -> String {
                try Tool.write(bytes, as: "\(number).yaml", in: folder)
            }
            let read = try Self.taken.enumerated().flatMap { number, lines in
                let written = Array(try tray(lines).text.utf8)
                return try [file(number * 2, trayBytes(lines)), file(number * 2 + 1, written)]
            }
            #expect(try schema.flaws(in: read) == read.map { _ in 0 })
            let others = try Self.refused.enumerated().map { number, lines in
                #expect(throws: (any Error).self, "\(lines)") { try tray(lines) }
                return try file(100 + number, trayBytes(lines))
            }
            let flaws = try schema.flaws(in: others)
            #expect(zip(flaws, Self.refused).filter { $0.0 == 0 }.map(\.1) == [])
            #expect(flaws.count == others.count)
        }
    }
}
