import Bytes
import Testing

@testable import Tray

/// § marks the place that an error names.
@Suite struct `A tray file is refused` {
    private static func expect(_ marked: String, _ message: String, _ location: SourceLocation) {
        let before = marked.prefix { $0 != "§" }.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let text = marked.replacing("§", with: "")
        do throws(YAMLProblem) {
            _ = try TrayFile(parsing: Array(text.utf8))
            Issue.record("it is read", sourceLocation: location)
        } catch {
            let place = "line \(before.count), column \((before.last?.count ?? 0) + 1)"
            #expect(error.description == "\(place): \(message)", sourceLocation: location)
        }
    }

    private func expect(_ lines: String, _ message: String, _ location: SourceLocation = #_sourceLocation) {
        Self.expect("tray: 1\nfirmware: a\n" + lines, message, location)
    }

    @Test func `if it is of another version, or of none`() {
        Self.expect("tray: §2", "only version 1 of the format is supported", #_sourceLocation)
        Self.expect("§slots: []", "'tray' is missing", #_sourceLocation)
    }

    @Test func `with neither slots nor a rule, or with both`() {
        Self.expect(
            "§tray: 1", "'slots' or 'rule' is missing: one of them has to select the beacons",
            #_sourceLocation)
        expect("slots: [{slot: A1}]\nrule: §{model: K6}", "a tray has either 'slots' or 'rule', not both")
        expect("slots: §[]", "the tray has no slots; list at least one")
    }

    @Test func `with an unknown key, and a suggestion`() {
        expect("§slot: A1", "unknown key 'slot'; did you mean 'slots'?")
        expect("slots:\n  - {slot: A1, §devise: x}", "unknown key 'devise'; did you mean 'device'?")
        expect("rule: {§rssi: -70}", "unknown key 'rssi'; did you mean 'rssi_above'?")
        expect("limits: {§link: 4}\nrule: {name: x}", "unknown key 'link'; did you mean 'links'?")
        expect("slots:\n  - slot: A1\n    §slot: A2", "'slot' appears twice")
    }

    @Test func `with two slots of one label`() {
        expect("slots:\n  - slot: A1\n  - {slot: §A1}", "slot 'A1' appears twice")
        expect("slots:\n  - §{device: 'id:x'}", "'slot' is missing")
    }

    @Test(arguments: [
        ("F0:0D:BE:AC:01:00", "f0:0d:be:ac:01:00"), ("F0:0D:BE:AC:01:00/public", "F0:0D:BE:AC:01:00"),
        ("F0:0D:BE:AC:01:00", "F0:0D:BE:AC:01:00/random"), ("id:abcd", "id:ABCD"), ("name:Tag", "name:Tag"),
        ("ibeacon:FE59/1/2", "ibeacon:fe59/01/2"),
    ])
    func `with one beacon in two slots`(first: String, second: String) {
        expect(
            "slots:\n  - slot: A1\n    device: \(first)\n  - slot: A2\n    device: §\(second)",
            "slot 'A1' already has this beacon")
    }

    @Test func `but not with two beacons of the same appearance`() throws {
        let tray = try tray(
            """
            firmware: a
            slots:
              - {slot: A1, device: 'F0:0D:BE:AC:01:00/public'}
              - {slot: A2, device: 'F0:0D:BE:AC:01:00/random'}
              - {slot: A3, device: 'name:tag'}
              - {slot: A4, device: 'name:Tag'}
              - {slot: a1, device: 'id:tag'}
            """)
        #expect(tray.slots.count == 5)
    }

    @Test func `with a selector that is invalid, or matches several beacons`() {
        expect("slots:\n  - slot: A1\n    device: §F00DBEAC0100", "write the address as F0:0D:BE:AC:01:00")
        expect("slots:\n  - slot: A1\n    device: §'id:'", "the id is missing after 'id:'")
        expect(
            "slots:\n  - slot: A1\n    device: §'name:Tag ?'",
            "a slot is for one beacon, but 'name:Tag ?' may match several; use patterns in 'rule'")
    }

    @Test func `with firmware from two places, or from none`() {
        expect(
            "slots:\n  - slot: A1\n    firmware: a\n    catalogue: §{folder: c}",
            "firmware is either a file ('firmware') or from a catalogue, not both")
        expect(
            "catalogue: §{folder: c}\nslots: [{slot: A1}]",
            "firmware is either a file ('firmware') or from a catalogue, not both")
        Self.expect(
            "tray: 1\nslots:\n  - {slot: A1, firmware: a}\n  - {slot: §A2}",
            "'firmware' or 'catalogue' is missing, for slot 'A2' or for the tray", #_sourceLocation)
        Self.expect(
            "tray: 1\nrule: §{name: x}", "'firmware' or 'catalogue' is missing", #_sourceLocation)
        expect("slots:\n  - {slot: A1, catalogue: §{channel: beta}}", "'folder' is missing")
        expect(
            "slots:\n  - {slot: A1, catalogue: {folder: c, channel: §betta}}",
            "'betta' is not one of release, beta; did you mean 'beta'?")
    }

    @Test func `with a rule that matches every beacon in range, or none`() {
        expect("rule: §{rssi_above: -50}", "a rule needs at least one of 'vendor', 'model' and 'name'")
        expect("rule: {vendor: §kmm}", "there is no vendor 'kmm'; did you mean 'kkm'?")
        expect("rule: {model: K6, rssi_above: §50}", "'50' is not a number from -127 to 20")
        expect("rule: {model: K6, expected: §0}", "'0' is not a number from 1 to 1000")
    }

    @Test func `with invalid limits or an invalid order`() {
        expect("rule: {name: x}\nlimits: {links: §0}", "'0' is not a number from 1 to 64")
        expect("rule: {name: x}\nlimits: {attempts: §101}", "'101' is not a number from 1 to 100")
        expect("rule: {name: x}\nlimits: {failure_percent: §10%}", "'10%' is not a number from 0 to 100")
        expect("rule: {name: x}\nlimits: {tray_s: §1.5}", "'1.5' is not a number from 1 to 86400")
        expect(
            "rule: {name: x}\nlimits: {tray_s: 60, unit_s: §61}",
            "a unit may take 61 s, and its tray only 60 s")
        expect(
            "rule: {name: x}\norder: §loud", "'loud' is not one of listed, loudest; did you mean 'loudest'?")
    }

    @Test func `with a text that is not a visible line`() {
        expect("rule: {name: x}\nstation: §''", "'station' is empty")
        expect("rule: {name: x}\noperator: §\"a\\ab\"", "'operator' has an invisible character")
        expect(
            "rule: {name: x}\norder_number: §\"\\u202Ea\"",
            "'order_number' has an invisible character")
        expect("slots: [{slot: §' A1'}]", "'slot' begins or ends with a space")
        expect(
            "slots: [{slot: §\"\\u0301\"}]", "'slot' begins with a combining mark")
        let long = String(repeating: "é", count: 33)
        expect("rule: {name: §\(long)}", "'name' has 66 bytes, at most 64 allowed")
        let path = String(repeating: "p", count: 257)
        expect("slots: [{slot: A1, firmware: §\(path)}]", "'firmware' has 257 bytes, at most 256 allowed")
    }

    @Test func `with more slots than a tray has`() {
        let slots = (1...1000).map { "  - slot: \($0)\n" }.joined()
        expect("slots:\n\(slots)  - slot: §x", "the tray has more than 1000 slots")
    }
}
