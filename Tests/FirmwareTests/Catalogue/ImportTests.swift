import Bytes
import Testing
import UpdateModel

@testable import Firmware

@Suite struct `An imported list` {
    private static let kind = FirmwareKind(rawValue: "nordic-secure")

    private static func draft(_ json: String) throws -> CatalogueDraft {
        try CatalogueDraft(keyedByHardware: Array(json.utf8), model: "BP \"1\"\n", kind: kind, by: .dotted)
    }

    @Test func `by hardware becomes a valid catalogue`() throws {
        var draft = try Self.draft(
            """
            { "V3.0": [ { "appVersion": "V5.20", "appFileName": "a.zip", "note": "first: \\"one\\"" },
                        { "appVersion": "V5.21", "appFileName": "b.zip" } ],
              "V2": [ { "appVersion": "V5.9", "appFileName": "c.zip", "note": "text" } ] }
            """)
        #expect(draft.disordered == [])
        for index in draft.releases.indices {
            draft.releases[index].sha256 = String(repeating: "a", count: 64)
        }
        let text = CatalogueDraft.lines([draft]).joined(separator: "\n")
        let model = try #require(try Catalogue(files: [("x", Array(text.utf8))]).families.first)
        #expect(model.name == "BP \"1\"\n")
        #expect(model.firmware.map(\.version) == ["V5.20", "V5.21", "V5.9"])
        #expect(model.firmware.map(\.file) == ["a.zip", "b.zip", "c.zip"])
        #expect(model.firmware.map(\.hardware) == [["V3.0"], ["V3.0"], ["V2"]])
        #expect(model.firmware[0].notes == "first: \"one\"")
    }

    @Test func `is read as JSON, with surrogate pairs and null for missing values`() throws {
        let draft = try Self.draft(
            #"{"V1": [{"appVersion": "V1.0", "appFileName": null, "note": null}, "#
                + #"{"appVersion": "V2.0", "appFileName": "a", "note": "\ud83d\ude80"}]}"#)
        #expect(draft.releases.map(\.file) == [nil, "a"])
        #expect(draft.releases.map(\.notes) == [nil, "🚀"])
    }

    @Test func `reports hardware that is not in ascending order`() throws {
        let draft = try Self.draft(
            """
            {"V1": [{"appVersion": "V5.20", "appFileName": "a"}, {"appVersion": "V5.9", "appFileName": "b"}],
             "V2": [{"appVersion": "V5.9", "appFileName": "a"}, {"appVersion": "V5.20", "appFileName": "b"}]}
            """)
        #expect(draft.disordered == ["V1"])
    }

    @Test func `may have no file for an earlier release`() throws {
        let draft = try Self.draft(
            "{\"V1\": [{\"appVersion\": \"V1.0\"}, {\"appVersion\": \"V2.0\", \"appFileName\": \"a\"}]}")
        #expect(draft.releases.map(\.file) == [nil, "a"])
    }

    @Test(arguments: [
        ("{\"V1\": [{\"appFileName\": \"a\"}]}", "line 1, column 9: 'appVersion' is missing"),
        ("{\"V1\": [{\"appVersion\": \"V1.0\"}]}", "line 1, column 9: 'appFileName' is missing"),
        (
            "{\"V1\": [{\"appVersion\": \"V1.0\", \"appFileName\": \"a\"}, {\"appVersion\": \"V2.0\"}]}",
            "column 53: 'appFileName' is missing"
        ),
        (
            "{\"V1\": [{\"appVersion\": \"new\", \"appFileName\": \"a\"}]}",
            "'new' is not a version of the scheme dotted"
        ),
        ("[]", "a mapping is expected"), ("{\"V1\": {}}", "a list is expected"), ("", "empty"),
    ])
    func `is refused with the place if something is missing`(json: String, problem: String) {
        do {
            _ = try Self.draft(json)
            Issue.record("taken: \(json)")
        } catch { #expect("\(error)".contains(problem), "\(error)") }
    }
}

@Suite struct `An imported answer from Kontakt.io` {
    private static func draft(_ firmwares: String) throws -> CatalogueDraft {
        let json = "{\"firmwares\": [\(firmwares)], \"searchMeta\": {}}"
        return try CatalogueDraft(namingUnits: Array(json.utf8), model: "Tough", by: .dotted)
    }

    private static let answer = """
        {"id": "1", "name": "4.0", "description": null, "deviceType": "BEACON", "uniqueId": ["abcd", "efgh"],
         "validVersions": "3.1, 3.0", "scheduled": false, "important": true, "optional": false,
         "url": "https://example.invalid/a", "fileExtension": "zip", "crc32": "00000000"},
        {"name": "4.1", "description": "for one", "deviceType": "BEACON", "uniqueId": ["abcd"],
         "important": false, "optional": true},
        {"name": "9.9", "deviceType": "GATEWAY", "uniqueId": ["gate"]}, {"name": "9.8", "uniqueId": []}
        """

    @Test func `becomes a catalogue that names units and the release the vendor would install`() throws {
        let lines = CatalogueDraft.lines([try Self.draft(Self.answer)])
        let shelf = try Catalogue(files: [("x", Array(lines.joined(separator: "\n").utf8))])
        let model = try #require(shelf.families.first)
        #expect(shelf.findings == [])
        #expect(model.firmware.map(\.version) == ["4.0", "4.1"])
        #expect(model.firmware.map(\.devices) == [["abcd", "efgh"], ["abcd"]])
        #expect(model.firmware.map(\.minimumInstalled) == ["3.0", nil])
        #expect(model.firmware.map(\.urgency) == [.high, .low])
        #expect(model.firmware.map(\.notes) == [nil, "for one"])
        func match(_ id: String?, _ version: String) -> CatalogueMatch {
            var beacon = device(model: nil, version: version)
            (beacon.maker, beacon.id) = ("kontakt", id)
            return shelf.match(beacon)
        }
        let one = match("ABCD", "3.1")
        #expect(one.outcome.word == "vendor-only" && one.chosen == nil && one.release == nil)
        #expect(one.vendorRelease?.version == "4.1")
        #expect(match("efgh", "3.1").vendorRelease?.version == "4.0")
        #expect(match("efgh", "3.1").rejections.map(\.reason) == [.device])
        #expect(match("efgh", "4.0").outcome == .upToDate)
        #expect(match("ijkl", "3.1").outcome.word == "vendor-only")
        #expect(match("ijkl", "3.1").vendorRelease == nil)
        #expect(match(nil, "3.1").outcome.word == "vendor-only")
    }

    @Test(arguments: [
        ("{\"uniqueId\": []}", "'name' is missing"), ("{\"name\": \"4.0\"}", "'uniqueId' is missing"),
        ("{\"name\": \"new\", \"uniqueId\": [\"a\"]}", "'new' is not a version of the scheme dotted"),
        (
            "{\"name\": \"4.0\", \"uniqueId\": [\"a\"], \"validVersions\": \"any\"}",
            "'any' is not a version of the scheme dotted"
        ),
        ("[]", "a mapping is expected"),
    ])
    func `is refused with the place if something is missing`(firmware: String, problem: String) {
        let refusal = #expect(throws: YAMLProblem.self) { try Self.draft(firmware) }
        #expect(refusal.map { "\($0)".contains(problem) } == true, "\(refusal.map { "\($0)" } ?? "")")
    }
}

@Suite struct `An imported metainfo file` {
    private static func draft(_ xml: String, by scheme: VersionScheme? = nil) throws -> CatalogueDraft {
        try CatalogueDraft(metainfo: Array(xml.utf8), model: "Lamp", kind: kind, by: scheme)
    }

    private static let kind = FirmwareKind(rawValue: "nordic-secure")

    private static let metainfo = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- Copyright -->
        <component type="firmware">
          <id>com.example.Lamp.firmware</id>
          <provides><firmware type="flashed">5f2f3a2e-0000-0000-0000-000000000000</firmware></provides>
          <requires>
            <firmware compare="ge" version="0.9">bootloader</firmware>
            <firmware compare='ge' version='1.0'/>
          </requires>
          <releases>
            <release urgency="high" version="1.10" date="2026-01-31">
              <checksum type="sha1" target="container">00</checksum>
              <checksum filename="b.zip" target="content" type="sha256">AA</checksum>
              <description><p>Blinks &amp; &#x66;ades.</p><ul><li><![CDATA[a < b]]></li></ul></description>
            </release>
            <release version="1.9"><checksum filename="a.zip" target="content"/></release>
          </releases>
          <custom><value key="LVFS::VersionFormat">pair</value></custom>
        </component>

        """

    @Test func `has versions, packages, hashes, urgency, notes and the lowest version`() throws {
        let draft = try Self.draft(Self.metainfo)
        #expect(draft.scheme == .dotted)
        #expect(draft.releases.map(\.version) == ["1.10", "1.9"])
        #expect(draft.releases.map(\.file) == ["b.zip", "a.zip"])
        #expect(draft.releases.map(\.sha256) == ["aa", nil])
        #expect(draft.releases.map(\.urgency) == [.high, nil])
        #expect(draft.releases.map(\.notes) == ["Blinks & fades. a < b", nil])
        #expect(draft.releases.map(\.minimumInstalled) == ["1.0", "1.0"])
        let numbers = Self.metainfo.replacing("pair", with: "number").replacing("1.10", with: "110")
            .replacing("1.9", with: "9").replacing("'1.0'", with: "'1'")
        #expect(try Self.draft(numbers).scheme == .number)
        #expect(try Self.draft(numbers, by: .decimal).scheme == .decimal)
    }

    @Test(arguments: [
        ("<component/>", "line 1: not an AppStream firmware component (type=\"firmware\")"),
        ("<a type='firmware'/>", "not an AppStream firmware component"), ("", "an element is expected"),
        (
            "<component type='firmware'>\n<releases><release/></releases></component>",
            "line 2: <release> has no version"
        ),
        (
            "<component type='firmware'><releases><release version='x'/></releases></component>",
            "'x' is not a version of the scheme dotted"
        ),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "document types are not supported"),
        ("<a>&b;</a>", "unknown entity 'b'"), ("<a>&#xD800;</a>", "unknown entity"),
        ("<a></b>", "</a> is expected here"), ("<a", "'>' is expected"), ("<a b>", "'=' is expected"),
        ("<a b=c>", "a quote is expected"), ("<a b='", "ends within"),
        ("<a b='1' b='2'/>", "'b' appears twice"),
        ("<a/><b/>", "unexpected content after the end"), ("<a><!-- x", "'-->' is missing"),
        ("<a>x", "ends within"),
        (String(repeating: "<a>", count: 65), "nested too deeply"),
    ])
    func `is refused with the line if it is not one`(xml: String, problem: String) {
        let refusal = #expect(throws: XMLProblem.self) { try Self.draft(xml) }
        #expect(refusal.map { "\($0)".contains(problem) } == true, "\(refusal.map { "\($0)" } ?? "")")
    }

    @Test func `is refused wherever it is cut short`() {
        let bytes = Array(Self.metainfo.utf8)
        let whole = bytes.count - 2
        for count in 0..<whole {
            #expect(throws: XMLProblem.self) {
                try CatalogueDraft(metainfo: Array(bytes.prefix(count)), model: "A", kind: Self.kind, by: nil)
            }
        }
    }
}
