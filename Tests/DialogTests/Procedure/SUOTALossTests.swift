import TestSupport
import Testing
import UpdateModel

@testable import Dialog

@Suite struct `A lost status` {
    @Test func `of the start is recovered by reading`() throws {
        var script = try SUOTAScript()
        #expect(script.identify() == "subscribe")
        script.expect([("done", "ask 00000013"), ("timeout", "read status"), ("10", "pins 00030605")])
    }

    @Test(arguments: [("08", "memory-type-refused"), ("11", "invalid-bank"), ("03", "service-left, again")])
    func `that refuses the start is recovered by reading`(_ status: String, _ code: String) throws {
        var script = try SUOTAScript()
        #expect(script.identify() == "subscribe")
        script.expect([
            ("done", "ask 00000013"), ("timeout", "read status"), (status, "listen 200"),
            ("timeout", "write 000000ff"), ("done", "fail \(code)"),
        ])
    }

    @Test(arguments: ["00", "02", "15", "absent"])
    func `of the start is not replaced by an older one, and ends the attempt after 30 s`(_ older: String)
        throws
    {
        var script = try SUOTAScript()
        #expect(script.identify() == "subscribe")
        script.expect([("done", "ask 00000013")])
        for _ in 1...5 { script.expect([("timeout", "read status"), (older, "listen 5000")]) }
        script.expect([
            ("timeout", "read status"), (older, "listen 200"), ("timeout", "write 000000ff"),
            ("done", "fail no-answer, again"),
        ])
        #expect(script.procedure.disconnectMeaning == .mustContinue)
    }

    @Test func `of a block does not repeat a block that the device has counted`() throws {
        var script = try SUOTAScript()
        script.reachBlocks()
        script.expect([
            ("done", "listen 5000"), ("timeout", "read status"), ("10", "read count"),
            ("has 240", "send 240..<480 by 20"), ("done", "listen 5000"), ("timeout", "read status"),
            ("02", "read count"), ("has 240", "listen 5000"), ("timeout", "read status"),
            ("02", "read count"),
            ("has 480", "send 480..<720 by 20"),
        ])
    }

    @Test func `of the last block is recovered from a count without the XOR`() throws {
        var script = try SUOTAScript()
        script.reachBlocks()
        script.expect(
            SUOTAScript.blocks + [
                ("timeout", "read status"), ("02", "read count"), ("has 1088", "read count"),
                ("has 1088", "ask 000000fe"),
            ])
    }

    @Test func `of a block that is only the XOR cannot be recovered by counting`() throws {
        var preferences = SUOTAPreferences()
        preferences.blockSize = 272
        var script = try SUOTAScript(nil, preferences)
        script.reachBlocks(length: 272, "send 0..<272 by 20")
        script.expect([
            ("done", "listen 5000"), ("02", "send 272..<544 by 20"), ("done", "listen 5000"),
            ("02", "send 544..<816 by 20"), ("done", "listen 5000"), ("02", "send 816..<1088 by 20"),
            ("done", "listen 5000"), ("02", "length 1"), ("done", "send 1088..<1089 by 20"),
            ("done", "listen 5000"),
            ("timeout", "read status"), ("02", "read count"), ("has 1088", "listen 5000"),
            ("02", "read count"),
            ("has 1088", "ask 000000fe"),
        ])
    }

    @Test func `that refuses a block is recovered by reading`() throws {
        var script = try SUOTAScript()
        script.reachBlocks()
        script.expect([
            ("done", "listen 5000"), ("timeout", "read status"), ("16", "listen 200"),
            ("timeout", "write 000000ff"), ("done", "fail wrong-pins"),
        ])
    }

    @Test func `of a block that the device does not have ends the attempt after 30 s`() throws {
        var script = try SUOTAScript()
        for attempt in 0...3 {
            script.reachBlocks()
            script.expect([("done", "listen 5000")])
            for _ in 1...5 {
                script.expect([("timeout", "read status"), ("10", "read count"), ("has 0", "listen 5000")])
            }
            script.expect([
                ("timeout", "read status"), ("10", "read count"), ("has 0", "listen 200"),
                ("timeout", "write 000000ff"),
                ("done", attempt < 3 ? "fail no-answer, again" : "fail no-answer"),
            ])
        }
    }

    @Test func `of the end is recovered by reading, and the end is not sent twice`() throws {
        var script = try SUOTAScript()
        script.reachEnd()
        script.expect([
            ("timeout", "read status"), ("02", "read count"), ("has 0", "write 000000fd"),
            ("done", "complete"),
        ])
    }

    @Test(arguments: [
        ("04", "image-crc-mismatch, again"), ("06", "flash-write-failed"), ("ff", "image-not-marked"),
    ])
    func `that refuses the image is recovered by reading`(_ status: String, _ code: String) throws {
        var script = try SUOTAScript()
        script.reachEnd()
        script.expect([
            ("timeout", "read status"), (status, "listen 200"), ("timeout", "write 000000ff"),
            ("done", "fail \(code)"),
        ])
    }

    @Test func `of an end that a DA1468x received leaves the decision to the version`() throws {
        var script = try SUOTAScript(SUOTASubject.image(.da1468x))
        script.reachBlocks()
        script.expect([
            ("done", "listen 5000"), ("02", "send 240..<480 by 20"), ("done", "listen 5000"),
            ("02", "send 480..<720 by 20"), ("done", "listen 5000"), ("02", "send 720..<960 by 20"),
            ("done", "listen 5000"), ("02", "length 101"), ("done", "send 960..<1061 by 20"),
            ("done", "listen 5000"), ("02", "read count"), ("has 1061", "ask 000000fe"),
        ])
        for _ in 1...5 {
            script.expect([("timeout", "read status"), ("02", "read count"), ("has 0", "listen 5000")])
        }
        script.expect([
            ("timeout", "read status"), ("02", "read count"), ("has 0", "write 000000fd"),
            ("done", "complete unconfirmed"),
        ])
    }

    @Test func `of an end that a DA1458x did not receive ends the attempt`() throws {
        var script = try SUOTAScript()
        script.reachEnd()
        for _ in 1...5 {
            script.expect([("timeout", "read status"), ("02", "read count"), ("has 1088", "listen 5000")])
        }
        script.expect([
            ("timeout", "read status"), ("02", "read count"), ("has 1088", "listen 200"),
            ("timeout", "write 000000ff"), ("done", "fail no-answer, again"),
        ])
    }
}

@Suite struct `A surplus status` {
    @Test func `of the start is not taken for that of a block`() throws {
        var script = try SUOTAScript()
        script.reachBlocks()
        script.expect([
            ("done", "listen 5000"), ("early 10", "listen 5000"), ("10", "listen 5000"),
            ("02", "send 240..<480 by 20"),
        ])
    }

    @Test func `that arrives before its block has left belongs to the previous block`() throws {
        var script = try SUOTAScript()
        script.reachBlocks()
        script.expect([
            ("done", "listen 5000"), ("02", "send 240..<480 by 20"), ("done", "listen 5000"),
            ("early 02", "read count"), ("has 240", "listen 5000"), ("02", "send 480..<720 by 20"),
        ])
    }

    @Test func `is discarded if the device already has the block`() throws {
        var script = try SUOTAScript()
        script.reachBlocks()
        script.expect([
            ("done", "listen 5000"), ("early 02", "read count"), ("has 240", "listen 1"),
            ("02", "send 240..<480 by 20"), ("done", "listen 5000"), ("early 02", "read count"),
            ("has 480", "listen 1"), ("timeout", "send 480..<720 by 20"), ("done", "listen 5000"),
            ("early 02", "read count"), ("has 720", "listen 1"), ("06", "listen 200"),
        ])
    }

    @Test func `is accepted if the device does not count`() throws {
        var script = try SUOTAScript()
        script.reachBlocks()
        script.expect([
            ("done", "listen 5000"), ("early 02", "read count"), ("absent", "listen 1"),
            ("timeout", "send 240..<480 by 20"),
        ])
    }

    @Test func `that follows a counted block is not taken for that of the next block`() throws {
        var script = try SUOTAScript()
        script.reachBlocks()
        script.expect([
            ("done", "listen 5000"), ("timeout", "read status"), ("02", "read count"),
            ("has 240", "send 240..<480 by 20"), ("done", "listen 5000"), ("02", "read count"),
            ("has 240", "listen 5000"), ("02", "send 480..<720 by 20"),
        ])
    }

    @Test func `is still expected if the next block is complete before it arrives`() throws {
        var script = try SUOTAScript()
        script.reachBlocks()
        script.expect([
            ("done", "listen 5000"), ("timeout", "read status"), ("02", "read count"),
            ("has 240", "send 240..<480 by 20"), ("done", "listen 5000"), ("02", "read count"),
            ("has 480", "listen 1"), ("timeout", "send 480..<720 by 20"), ("done", "listen 5000"),
            ("02", "read count"), ("has 480", "listen 5000"), ("02", "send 720..<960 by 20"),
        ])
    }

    @Test func `is not carried over to a new link`() throws {
        var script = try SUOTAScript()
        script.reachBlocks()
        script.expect([
            ("done", "listen 5000"), ("timeout", "read status"), ("02", "read count"),
            ("has 240", "send 240..<480 by 20"),
        ])
        script.reachBlocks()
        script.expect([("done", "listen 5000"), ("02", "send 240..<480 by 20")])
    }

    @Test func `does not trigger the end before the last block has arrived`() throws {
        var script = try SUOTAScript()
        script.reachBlocks()
        script.expect(
            SUOTAScript.blocks + [
                ("02", "read count"), ("has 960", "listen 5000"), ("02", "read count"),
                ("has 1088", "ask 000000fe"),
            ])
        script = try SUOTAScript()
        script.reachBlocks()
        script.expect(SUOTAScript.blocks + [("02", "read count")])
        for _ in 1...6 { script.expect([("has 960", "listen 5000"), ("timeout", "read count")]) }
        script.expect([
            ("has 960", "listen 200"), ("timeout", "write 000000ff"), ("done", "fail no-answer, again"),
        ])
    }

    @Test func `is not taken for a verified image if STATUS differs`() throws {
        var script = try SUOTAScript()
        script.reachEnd()
        script.expect([
            ("02", "read status"), ("04", "listen 200"), ("timeout", "write 000000ff"),
            ("done", "fail image-crc-mismatch, again"),
        ])
    }
}

@Suite struct `A SUOTA link that ends` {
    private func ending(_ family: HeaderFamily, _ rows: [(String, String)]) throws -> DisconnectMeaning {
        var script = try SUOTAScript(SUOTASubject.image(family, payload: 36))
        #expect(script.identify() == "subscribe")
        script.expect(rows)
        return script.procedure.disconnectMeaning
    }

    /// The steps of a run whose upload is one block.
    private func rows(_ length: Int, _ count: Int) -> [(String, String)] {
        [
            ("done", "ask 00000013"), ("10", "pins 00030605"), ("done", "length \(length)"),
            ("done", "send 0..<\(length) by 20"), ("done", "listen 5000"), ("02", "read count"),
            ("has \(count)", "ask 000000fe"), ("02", "read status"), ("02", "write 000000fd"),
            ("done", "complete"),
        ]
    }

    @Test func `before the start is only lost`() throws {
        var script = try SUOTAScript()
        #expect(script.procedure.disconnectMeaning == .mustContinue)
        _ = script.begin()
        #expect(script.procedure.disconnectMeaning == .mustContinue)
    }

    @Test(arguments: [(HeaderFamily.da1458x, 101, 100), (.da1468x, 73, 73)])
    func `has an outcome that depends on the step`(_ family: HeaderFamily, _ length: Int, _ count: Int) throws
    {
        let rows = rows(length, count)
        for place in 1...rows.count {
            let ending = try ending(family, Array(rows.prefix(place)))
            switch place {
            case ...6:
                #expect(ending == (family == .da1458x ? .mustContinue : .mayRestart(within: .seconds(30))))
            case 7, 8:
                guard case .perhapsDone(let completion) = ending, !completion.isConfirmed else {
                    Issue.record("\(place): \(ending)")
                    continue
                }
            default:
                guard case .perhapsDone(let completion) = ending, completion.isConfirmed else {
                    Issue.record("\(place): \(ending)")
                    continue
                }
            }
        }
    }

    @Test func `before the end makes the upload start over`() throws {
        var script = try SUOTAScript()
        script.reachBlocks()
        script.expect([("done", "listen 5000"), ("02", "send 240..<480 by 20"), ("done", "listen 5000")])
        script.reachBlocks()
        script.expect(
            SUOTAScript.blocks + [
                ("02", "read count"), ("has 1088", "ask 000000fe"), ("02", "read status"),
                ("02", "write 000000fd"),
            ])
    }

    @Test func `after the end means success if the new version appears`() throws {
        var script = try SUOTAScript()
        script.reachEnd()
        #expect(script.identify(["software revision": Array("1.2.3".utf8).hex]) == "complete")
    }

    @Test func `after the end leaves only the restart if the device confirms the image`() throws {
        var script = try SUOTAScript()
        script.reachEnd()
        #expect(script.identify() == "read status")
        script.expect([("02", "read count"), ("has 0", "write 000000fd"), ("done", "complete")])
    }

    @Test(arguments: [("00", nil), ("04", nil), ("absent", nil), ("02", "has 1088"), ("02", "absent")])
    func `after the end starts over if the device did not receive the end`(_ status: String, _ count: String?)
        throws
    {
        var script = try SUOTAScript()
        script.reachEnd()
        #expect(script.identify() == "read status")
        if let count {
            script.expect([(status, "read count"), (count, "subscribe")])
        } else {
            script.expect([(status, "subscribe")])
        }
        script.expect([("done", "ask 00000013"), ("10", "pins 00030605")])
    }

    @Test func `after the end is not judged by a version that was there before`() throws {
        var preferences = SUOTAPreferences()
        preferences.risks = [.sameVersion]
        var script = try SUOTAScript(nil, preferences)
        let device = ["software revision": Array("1.2.3".utf8).hex]
        script.reachEnd(device)
        #expect(script.identify(device) == "read status")
    }

    @Test func `after the end is lost when it happens repeatedly`() throws {
        var script = try SUOTAScript()
        script.reachEnd()
        for _ in 1...3 {
            #expect(script.identify() == "read status")
            script.expect([("00", "subscribe"), ("done", "ask 00000013"), ("10", "pins 00030605")])
            script.expect([("done", "length 240"), ("done", "send 0..<240 by 20")])
            script.expect(SUOTAScript.blocks + [("02", "read count"), ("has 1088", "ask 000000fe")])
        }
        #expect(script.identify() == "read status")
        script.expect([("00", "fail link-lost")])
    }

    @Test func `during the restart makes it request the restart once more, and no more often`() throws {
        var script = try SUOTAScript()
        script.reachEnd()
        script.expect([("02", "read status"), ("02", "write 000000fd")])
        #expect(script.identify() == "write 000000fd")
        #expect(script.identify() == "complete")
    }

    @Test func `during the restart means success if the new version appears`() throws {
        var script = try SUOTAScript()
        script.reachEnd()
        script.expect([("02", "read status"), ("02", "write 000000fd")])
        #expect(script.identify(["firmware revision": Array("1.2.3".utf8).hex]) == "complete")
    }

    @Test func `during the abort changes nothing`() throws {
        var script = try SUOTAScript()
        script.reachBlocks()
        script.expect([("done", "listen 5000"), ("14", "listen 200")])
        guard case .refused(let failure) = script.procedure.disconnectMeaning else {
            Issue.record("not refused")
            return
        }
        #expect(failure.code.rawValue == "product-header-missing")
    }
}
