import Nordic
import TestSupport
import Testing
import UpdateModel

@Suite struct `A fresh Secure DFU run` {
    @Test func `takes each object from Create through its checksum to Execute at MTU 247`() throws {
        var script = SecureScript()
        try script.reachFirstObject()
        _ = script.takeNotices()
        script.expect([
            ("600101", "send 0..<2440"), ("done", "rest 365"), ("done", "send 2440..<4096"),
            ("done", "ask 03"), ("crc 4096", "ask 04"), ("600401", "ask 010204000000"),
            ("600101", "send 4096..<4100"), ("done", "ask 03"), ("crc 4100", "ask 04"),
            ("600401", "complete"),
        ])
        #expect(script.takeNotices() == [.accepted(upTo: 4096), .phase(.activating), .accepted(upTo: 4100)])
    }

    @Test func `waits at MTU 23 after each Create and before the last Execute`() throws {
        var script = SecureScript(SecureSubject.firmware(8192))
        try script.reachFirstObject(payload: 20, commandMaximum: 256)
        script.expect([("600101", "send 0..<240"), ("done", "rest 385")])
        try script.advance(until: "ask 03")
        script.expect([
            ("crc 4096", "ask 04"), ("600401", "ask 010200100000"), ("600101", "send 4096..<4336"),
            ("done", "rest 213"),
        ])
        try script.advance(until: "ask 03")
        script.expect([("crc 8192", "rest 250"), ("done", "ask 04"), ("600401", "complete")])
    }

    @Test func `waits for a receipt after every twelfth packet`() throws {
        var script = SecureScript(SecureSubject.firmware(8192), receipts: 12)
        try script.reachFirstObject(receipts: "0c00")
        script.expect([
            ("600101", "send 0..<2440"), ("done", "rest"), ("done", "send 2440..<2928"),
            ("done", "listen"), ("crc 2928", "send 2928..<4096"), ("done", "ask 03"),
            ("crc 4096", "ask 04"),
            ("600401", "ask 010200100000"), ("600101", "send 4096..<7024"), ("done", "listen"),
            ("crc 7024", "send 7024..<8192"),
            ("done", "ask 03"), ("crc 8192", "ask 04"), ("600401", "complete"),
        ])
    }

    @Test func `requests receipts by itself if packets are small`() throws {
        var script = SecureScript(receipts: nil)
        #expect(try script.begin(writing: 20) == "subscribe")
        script.expect([("done", "ask 020600")])
        #expect(try script.begin(writing: 244) == "subscribe")
        script.expect([("done", "ask 020000")])
    }

    @Test func `names its phases and the place of every object`() throws {
        var script = SecureScript()
        try script.reachFirstObject()
        #expect(script.takeNotices() == [.phase(.preparing), .phase(.transferring)])
    }

    @Test func `rounds a payload down to whole words`() throws {
        var script = SecureScript(SecureSubject.firmware(400))
        #expect(try script.begin(writing: 182) == "subscribe")
        script.expect([("done", "ask 020000"), ("600201", "ask 0601"), ("hold 512 0 0", "ask 01018c000000")])
        guard case .stream(let run) = try script.procedure.advance(after: .value([0x60, 1, 1])).command
        else {
            Issue.record("no packets")
            return
        }
        #expect(run.packetLength == 180)
    }

    @Test func `gives each request the time that it needs`() throws {
        var script = SecureScript(SecureSubject.firmware(4))
        try script.reachFirstObject()
        script.expect([
            ("600101", "send 0..<4"), ("done", "ask 03"), ("crc 4", "ask 04"), ("600401", "complete"),
        ])
        #expect(script.limits == [3, 3, 5, 3, 10, 3, 5, 3, 20].map { .seconds($0) })
    }

    @Test func `gives the device 10 seconds and one more per 10 kilobytes to come back`() throws {
        var script = SecureScript(SecureSubject.firmware(4))
        try script.reachFirstObject()
        script.expect([("600101", "send 0..<4"), ("done", "ask 03"), ("crc 4", "ask 04")])
        let step = try script.procedure.advance(after: .value([0x60, 4, 1]))
        let wanted = Completion(
            isConfirmed: true, expectedAddresses: [.sameAddress, .previousAddress], timeout: .seconds(10))
        #expect(step.command == .end(.complete(wanted)))
        let large = SecureProcedure(SecureSubject.firmware(100_000))
        #expect(large.total == 100_000)
        #expect(large.targetSignature.control == SecureService.controlPoint)
    }

    @Test(arguments: [(0, 140), (4, 0)])
    func `does not begin without an image and an init packet`(_ image: Int, _ initPacket: Int) {
        let bytes = [UInt8](repeating: 1, count: initPacket)
        var procedure = SecureProcedure(SecureSubject.firmware(image, initPacket: bytes))
        let failure = #expect(throws: UpdateFailure.self) {
            _ = try procedure.begin(on: LinkFacts(maximumWriteLength: 244))
        }
        #expect(failure?.code.rawValue == "package-empty")
    }

    @Test func `refuses an outcome that does not match its command`() throws {
        var script = SecureScript()
        script.expect([("done", "fail unexpected-answer")])
        #expect(try script.begin() == "subscribe")
        script.expect([("timeout", "fail unexpected-answer")])
    }

    @Test(arguments: [(139, "fail init-packet-too-long"), (140, "ask 01018c000000")])
    func `does not announce an init packet that the bootloader cannot accept`(
        _ maximum: Int, _ command: String
    ) throws {
        var script = SecureScript()
        try script.connect()
        script.expect([("hold \(maximum) 0 0", command)])
    }
}
