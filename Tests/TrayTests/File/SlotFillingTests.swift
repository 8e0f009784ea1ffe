import Firmware
import Testing

@testable import Tray

@Suite struct `Codes of a scanner` {
    private static func filling() throws -> SlotFilling {
        SlotFilling(
            try tray(
                "firmware: a\nslots: [{slot: A1}, {slot: A2, device: 'id:there'}, {slot: A3}, {slot: B1}]"))
    }

    private static func words(_ filling: SlotFilling) -> String {
        filling.tray.slots.map { "\($0.label) \($0.device.map { "\($0)" } ?? "-")" }.joined(separator: ", ")
    }

    /// The refusal of a code, which has to leave everything unchanged.
    private static func refusal(
        of line: String, by filling: inout SlotFilling, status: CodeStatus = .expected,
        allowing overrides: Set<ScanOverride> = []
    ) throws -> ScanRefusal? {
        let before = filling
        let code = try ScannedCode(line: line)
        do throws(ScanRefusal) {
            _ = try filling.fill(with: code, status: status, allowing: overrides)
            return nil
        } catch {
            #expect(filling == before)
            return error
        }
    }

    @Test func `fill the empty slots in order`() throws {
        var filling = try Self.filling()
        for (line, slot) in [("F00DBEAC0100", 0), ("abcd", 2), ("name:x", 3)] {
            #expect(filling.next == slot)
            #expect(try filling.fill(with: ScannedCode(line: line)) == .filled(slot))
        }
        #expect(filling.next == nil)
        #expect(Self.words(filling) == "A1 F0:0D:BE:AC:01:00, A2 id:there, A3 id:abcd, B1 name:x")
        #expect(try TrayFile(parsing: Array(filling.tray.text.utf8)) == filling.tray)
        let full = try Self.refusal(of: "more", by: &filling, allowing: Set(ScanOverride.allCases))
        #expect(full == .full(slots: 4) && full?.override == nil)
    }

    @Test func `fill the slots that they name`() throws {
        var filling = try Self.filling()
        #expect(try filling.fill(with: ScannedCode(line: "B1,abcd")) == .filled(3))
        #expect(try filling.fill(with: ScannedCode(line: "efgh")) == .filled(0))
        #expect(Self.words(filling) == "A1 id:efgh, A2 id:there, A3 -, B1 id:abcd")
        let other = try #require(
            try Self.refusal(of: "b1,x", by: &filling, allowing: Set(ScanOverride.allCases)))
        #expect(other.description == "there is no slot 'b1'; did you mean 'B1'?" && other.override == nil)
    }

    @Test func `that a scanner reads twice within a second count once`() throws {
        var filling = try Self.filling()
        let code = try ScannedCode(line: "abcd")
        #expect(try filling.fill(with: code, at: .milliseconds(5000)) == .filled(0))
        #expect(try filling.fill(with: code, at: .milliseconds(5900)) == .unchanged(0))
        #expect(try filling.fill(with: code, at: .milliseconds(6800)) == .unchanged(0))
        #expect(throws: ScanRefusal.scannedBefore(slot: "A1")) {
            try filling.fill(with: code, at: .milliseconds(7800))
        }
        #expect(Self.words(filling) == "A1 id:abcd, A2 id:there, A3 -, B1 -")
    }

    @Test func `of a beacon in another slot are refused, unless it was moved`() throws {
        var filling = try Self.filling()
        let refusal = try #require(try Self.refusal(of: "THERE", by: &filling))
        #expect(refusal.description == "this beacon is already in slot 'A2'" && refusal.override == .move)
        #expect(try filling.fill(with: ScannedCode(line: "A2,There")) == .unchanged(1))
        #expect(try filling.fill(with: ScannedCode(line: "B1,there"), allowing: [.move]) == .filled(3))
        #expect(Self.words(filling) == "A1 -, A2 -, A3 -, B1 id:there")
        #expect(try filling.fill(with: ScannedCode(line: "there"), allowing: [.move]) == .filled(0))
        #expect(Self.words(filling) == "A1 id:there, A2 -, A3 -, B1 -")
    }

    @Test func `that name a slot with another beacon are refused, unless it is replaced`() throws {
        var filling = try Self.filling()
        let refusal = try #require(try Self.refusal(of: "A2,abcd", by: &filling))
        #expect(
            refusal.description == "slot 'A2' already has another beacon, id:there"
                && refusal.override == .replace)
        #expect(try filling.fill(with: ScannedCode(line: "A1,efgh")) == .filled(0))
        let moved = try Self.refusal(of: "A2,efgh", by: &filling, allowing: [.move])
        #expect(moved?.override == .replace)
        let code = try ScannedCode(line: "A2,efgh")
        #expect(try filling.fill(with: code, allowing: [.move, .replace]) == .filled(1))
        #expect(Self.words(filling) == "A1 -, A2 id:efgh, A3 -, B1 -")
    }

    @Test(arguments: [
        (
            CodeStatus.unknown, "beacon id:abcd is unknown: not heard, and not in the history",
            ScanOverride.unknown
        ),
        (
            .passed(
                EarlierPass(
                    at: RecordedTime(milliseconds: 1_767_225_600_000),
                    run: "5f0c8c1e-7a53-4d7e-9b0e-0d7d4a1c2b3f", order: "WO-17")),
            "id:abcd has already passed, on 2026-01-01T00:00:00Z, in run 5f0c8c1e of order WO-17", .again
        ),
        (
            .passed(EarlierPass(at: RecordedTime(milliseconds: 0), run: "5f0c8c1e-7a53", isSingle: true)),
            "id:abcd has already passed, on 1970-01-01T00:00:00Z, in a single flash, run 5f0c8c1e",
            .again
        ),
    ])
    func `of a beacon that does not belong here are refused, unless a person allows it`(
        status: CodeStatus, words: String, override: ScanOverride
    ) throws {
        var filling = try Self.filling()
        let others = Set(ScanOverride.allCases).subtracting([override])
        let refusal = try #require(
            try Self.refusal(of: "abcd", by: &filling, status: status, allowing: others))
        #expect(refusal.description == words && refusal.override == override)
        let code = try ScannedCode(line: "abcd")
        #expect(try filling.fill(with: code, status: status, allowing: [override]) == .filled(0))
    }

    @Test func `of an address without a type match both types, in any slot`() throws {
        var filling = SlotFilling(
            try tray(
                """
                firmware: a
                slots:
                  - {slot: A1, device: 'F0:0D:BE:AC:01:00/public'}
                  - {slot: A2, device: 'F0:0D:BE:AC:01:00/random'}
                """))
        #expect(try Self.refusal(of: "F00DBEAC0100", by: &filling) == .scannedBefore(slot: "A1"))
        #expect(try Self.refusal(of: "A2,F00DBEAC0100", by: &filling) == .scannedBefore(slot: "A1"))
        let code = try ScannedCode(line: "A2,F00DBEAC0100")
        #expect(try filling.fill(with: code, allowing: [.move]) == .filled(1))
        #expect(Self.words(filling) == "A1 -, A2 F0:0D:BE:AC:01:00")
    }

    @Test func `fill nothing if a rule selects the beacons`() throws {
        var filling = SlotFilling(try tray("firmware: a\nrule: {model: K6}"))
        #expect(try Self.refusal(of: "abcd", by: &filling) == .noSlots)
    }

    @Test(
        arguments: [
            ([], nil), (["A2"], "A2"), (["A1", "A2"], "A1 A2"), (["A1", "A2", "A3", "B1"], "A1–B1"),
            (["A1", "A2", "B1", "B2", "B3"], "A1 A2 B1–B3"),
        ] as [([String], String?)])
    func `leave slots that are listed by runs`(_ labels: [String], _ words: String?) throws {
        let slots = try ["A1", "A2", "A3", "B1", "B2", "B3"].map { try TraySlot($0, device: nil) }
        #expect(slots.runs { labels.contains($0.label) } == words)
    }
}
