import FirmwareModel
import Testing
import YAMLText

@testable import Catalogue

@Suite struct `An imported list` {
    private static let kind = FirmwareKind(rawValue: "nordic-secure")

    private static func draft(_ json: String) throws -> CatalogueDraft {
        try CatalogueDraft(keyedByHardware: Array(json.utf8), model: "BP \"1\"\n", kind: kind)
    }

    @Test func `by hardware becomes a catalogue that is read`() throws {
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
        let model = try #require(try Catalogue(files: [("x", Array(text.utf8))]).models.first)
        #expect(model.name == "BP \"1\"\n")
        #expect(model.firmware.map(\.version) == ["V5.20", "V5.21", "V5.9"])
        #expect(model.firmware.map(\.file) == ["a.zip", "b.zip", "c.zip"])
        #expect(model.firmware.map(\.hardware) == [["V3.0"], ["V3.0"], ["V2"]])
        #expect(model.firmware[0].notes == "first: \"one\"")
    }

    @Test func `says which hardware is not in ascending order`() throws {
        let draft = try Self.draft(
            """
            {"V1": [{"appVersion": "V5.20", "appFileName": "a"}, {"appVersion": "V5.9", "appFileName": "b"}],
             "V2": [{"appVersion": "V5.9", "appFileName": "a"}, {"appVersion": "V5.20", "appFileName": "b"}]}
            """)
        #expect(draft.disordered == ["V1"])
    }

    @Test(arguments: [
        ("{\"V1\": [{\"appFileName\": \"a\"}]}", "line 1, column 9: 'appVersion' is missing"),
        ("{\"V1\": [{\"appVersion\": \"V1.0\"}]}", "line 1, column 9: 'appFileName' is missing"),
        ("{\"V1\": [{\"appVersion\": \"new\", \"appFileName\": \"a\"}]}", "'new' is not a version"),
        ("[]", "a mapping is expected"), ("{\"V1\": {}}", "a list is expected"), ("", "empty"),
    ])
    func `that lacks something is refused with the place`(json: String, problem: String) {
        do {
            _ = try Self.draft(json)
            Issue.record("taken: \(json)")
        } catch { #expect("\(error)".contains(problem), "\(error)") }
    }
}
