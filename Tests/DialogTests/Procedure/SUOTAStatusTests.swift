import TestSupport
import Testing
import UpdateModel

@testable import Dialog

@Suite struct `A status of a SUOTA device` {
    private static let codes: [(UInt8, String)] = [
        (0x01, "patch-service"), (0x03, "service-left"), (0x04, "image-crc-mismatch"),
        (0x05, "block-length-refused"),
        (0x06, "flash-write-failed"), (0x07, "block-too-large"), (0x08, "memory-type-refused"),
        (0x09, "image-refused"), (0x11, "invalid-bank"), (0x12, "invalid-image-header"),
        (0x13, "image-too-large"),
        (0x14, "product-header-missing"), (0x15, "same-image"), (0x16, "wrong-pins"), (0x17, "same-image"),
    ]

    /// Places: the answer to the start, after the first block, after the last, and after the end.
    private func reach(_ place: Int) throws -> SUOTAScript {
        var script = try SUOTAScript()
        switch place {
        case 0:
            #expect(script.identify() == "subscribe")
            script.expect([("done", "ask 00000013")])
        case 1:
            script.reachBlocks()
            script.expect([("done", "listen 5000")])
        case 2:
            script.reachBlocks()
            script.expect(SUOTAScript.blocks)
        default: script.reachEnd()
        }
        return script
    }

    @Test(arguments: codes, 0...3)
    func `has a code, a cause and a hint at every place, and the update is aborted`(
        _ row: (code: UInt8, name: String), _ place: Int
    ) throws {
        var script = try reach(place)
        let isWorthRepeating = [3, 4, 5].contains(row.code)
        let name = place == 3 && row.code == 1 ? "patch-service" : row.name
        script.expect([
            ([row.code].hex, "listen 200"), ("05", "listen 200"), ("timeout", "write 000000ff"),
            ("done", "fail \(name)" + (isWorthRepeating ? ", again" : "")),
        ])
        let failure = try #require(script.failure)
        #expect(failure.message.hasSuffix("(status \(SUOTAStatus(code: row.code)))"))
        #expect(failure.remedy != nil)
        #expect(script.procedure.disconnectMeaning == (isWorthRepeating ? .mustContinue : .refused(failure)))
    }

    @Test(arguments: [HeaderFamily.da1458x, .da1468x, .da1469x])
    func `blames pins only for memories that have pins`(_ family: HeaderFamily) throws {
        var script = try SUOTAScript(SUOTASubject.image(family))
        script.reachBlocks()
        script.expect([("done", "listen 5000"), ("06", "listen 200"), ("timeout", "write 000000ff")])
        #expect(script.after("done") == "fail flash-write-failed")
        #expect(script.failure?.remedy?.description.contains("pins") == (family == .da1458x))
    }

    @Test(arguments: [0x0A, 0x1C, 0x7F, 0xFE, 0xFF] as [UInt8])
    func `that is unknown is a failure`(_ code: UInt8) throws {
        for place in 0...3 {
            var script = try reach(place)
            script.expect([
                ([code].hex, "listen 200"), ("timeout", "write 000000ff"),
                ("refused", place == 3 ? "fail image-not-marked" : "fail unknown-status"),
            ])
        }
    }

    @Test(arguments: 0...255)
    func `after the end is a failure, except 02`(_ code: Int) throws {
        var script = try reach(3)
        let command = script.after([UInt8(code)].hex)
        switch code {
        case 0x02: #expect(command == "read status")
        // A doubled answer to the start; STATUS decides.
        case 0x10: #expect(command == "listen 5000")
        default: #expect(command == "listen 200")
        }
    }

    @Test(arguments: ["18", "19", "1a", "1b", "00", "10", ""])
    func `that is unrelated to a block is skipped`(_ text: String) throws {
        var script = try reach(1)
        script.expect([(text, "listen 5000"), ("02", "send 240..<480 by 20")])
    }

    @Test func `restarts the upload from byte 0 at most three times`() throws {
        var script = try SUOTAScript()
        for attempt in 0...3 {
            script.reachBlocks()
            let end = attempt < 3 ? ", again" : ""
            script.expect([
                ("done", "listen 5000"), ("04", "listen 200"), ("timeout", "write 000000ff"),
                ("done", "fail image-crc-mismatch\(end)"),
            ])
        }
        // Nothing is resumed: the device keeps nothing.
        #expect(!script.takeNotices().contains { if case .resumed = $0 { true } else { false } })
    }

    @Test func `ends a flood of other ones`() throws {
        var script = try reach(1)
        for _ in 0..<64 { #expect(script.after("10") == "listen 5000") }
        #expect(script.after("10") == "listen 200")
        for _ in 0..<63 { #expect(script.after("05") == "listen 200") }
        script.expect([("05", "write 000000ff"), ("done", "fail unexpected-answer")])
    }
}
