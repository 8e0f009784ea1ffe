import TestSupport
import Testing
import UpdateModel

@testable import Nordic

@Suite struct `A Legacy DFU run` {
    @Test func `goes from Start through the init packet and the image to Activate`() throws {
        var script = try LegacyScript()
        try script.reachImage()
        script.expect([
            ("done", "listen"), ("prn 160", "send 160..<320"), ("done", "listen"),
            ("prn 320", "send 320..<400"),
            ("done", "listen"), ("100301", "ask 04"), ("100401", "write 05"), ("done", "complete"),
        ])
        #expect(
            script.takeNotices() == [
                .phase(.preparing), .phase(.transferring), .reached(160), .reached(320), .reached(400),
                .accepted(upTo: 400), .phase(.activating),
            ])
        #expect(script.completion?.expectedAddresses == [.sameAddress, .previousAddress])
        #expect(script.completion?.mayStayInBootloader == false)
    }

    @Test(
        arguments: [
            (.application, "0104", "000000000000000090010000"),
            (.softdevice, "0101", "900100000000000000000000"),
            (.bootloader, "0102", "000000009001000000000000"),
            (.softdeviceBootloader, "0103", "640000002c01000000000000"),
        ] as [(FirmwareRole, String, String)])
    func `announces the parts and their sizes in one packet`(
        _ role: FirmwareRole, _ start: String, _ sizes: String
    ) throws {
        var script = try LegacyScript(LegacySubject.firmware(role: role))
        #expect(try script.begin() == "subscribe")
        script.expect([
            ("done", "read"), ("0800", "write \(start)"), ("done", "packet \(sizes)"), ("done", "listen"),
        ])
        // A whole bank is erased first.
        #expect(script.limits.last == .seconds(30))
    }

    @Test func `allows a system part time to be copied, and to stay in the bootloader`() throws {
        var script = try LegacyScript(LegacySubject.firmware(8, role: .softdevice))
        try script.reachImage()
        script.expect([
            ("done", "listen"), ("100301", "ask 04"), ("100401", "write 05"), ("done", "complete"),
        ])
        #expect(script.completion?.mayStayInBootloader == true)
    }

    @Test func `omits an init packet only if the package has none`() throws {
        var script = try LegacyScript(LegacySubject.firmware(20, initPacket: nil))
        try script.connect()
        script.expect([
            ("100101", "write 080800"), ("done", "write 03"), ("done", "rest 100"), ("done", "send 0..<20"),
            ("done", "listen"),
            ("100301", "ask 04"), ("100401", "write 05"), ("done", "complete"),
        ])
    }

    @Test func `sends everything at once if no receipts are requested`() throws {
        var script = try LegacyScript(receipts: 0)
        try script.reachImage(interval: "0000", first: 0..<400)
        script.expect([("done", "listen"), ("100301", "ask 04")])
    }

    @Test(arguments: [(1, "0100", 0..<20), (8, "0800", 0..<160), (12, "0c00", 0..<240)])
    func `requests the receipts that the user sets`(
        _ requested: Int, _ interval: String, _ first: Range<Int>
    ) throws {
        var script = try LegacyScript(receipts: requested)
        try script.reachImage(interval: interval, first: first)
    }

    @Test func `reports progress about every 4 kB`() throws {
        var script = try LegacyScript(LegacySubject.firmware(10_000))
        try script.reachImage()
        _ = script.takeNotices()
        for position in stride(from: 160, to: 10_000, by: 160) {
            script.expect([
                ("done", "listen"), ("prn \(position)", "send \(position)..<\(min(position + 160, 10_000))"),
            ])
        }
        script.expect([("done", "listen"), ("100301", "ask 04")])
        #expect(
            script.takeNotices().filter { if case .reached = $0 { false } else { true } } == [
                .accepted(upTo: 4160), .accepted(upTo: 8320), .accepted(upTo: 10_000), .phase(.activating),
            ])
    }

    @Test(arguments: [1, 2, 3, 5, 399, 401, 402])
    func `refuses an image that is not whole words`(_ count: Int) throws {
        var procedure = LegacyProcedure(try LegacySubject.firmware(count))
        let failure = #expect(throws: UpdateFailure.self) {
            try procedure.begin(on: LinkFacts(maximumWriteLength: 20))
        }
        #expect(failure?.code.rawValue == "image-size-refused")
    }

    @Test func `refuses an empty image, and sizes that do not add up`() throws {
        let empty = LegacyImage(bytes: [], initPacket: nil)
        let odd = LegacyImage(
            role: .softdeviceBootloader, bytes: SecureSubject.image(400), initPacket: nil,
            softDeviceSize: 100,
            bootloaderSize: 100)
        for (image, code) in [(empty, "package-empty"), (odd, "part-sizes-mismatch")] {
            var procedure = LegacyProcedure(image)
            let failure = #expect(throws: UpdateFailure.self) {
                try procedure.begin(on: LinkFacts(maximumWriteLength: 20))
            }
            #expect(failure?.code.rawValue == code)
        }
    }
}

@Suite struct `A Legacy DFU run with a device from before SDK 7` {
    private static let initPacket = LegacySubject.initPacket

    /// Up to Start, which such a device refuses in its new form.
    private func script(receipts: Int? = nil) throws -> LegacyScript {
        var script = try LegacyScript(receipts: receipts)
        #expect(try script.begin() == "subscribe")
        script.expect([
            ("done", "read"), ("absent", "rest 1000"), ("done", "write 0104"),
            ("done", "packet 000000000000000090010000"), ("done", "listen"), ("100103", "write 01"),
            ("done", "packet 90010000"), ("done", "listen"),
        ])
        return script
    }

    @Test func `sends Start again in the old form, then a CRC16, and waits before the image`() throws {
        var script = try script()
        script.expect([
            ("100101", "write 02"), ("done", "packet 7f29"), ("done", "listen"), ("100201", "write 080800"),
            ("done", "write 03"), ("done", "rest 2000"), ("done", "send 0..<160"), ("done", "listen"),
            ("prn 160", "send 160..<320"), ("done", "listen"), ("prn 320", "send 320..<400"),
            ("done", "listen"), ("100301", "ask 04"), ("100401", "write 05"), ("done", "complete"),
        ])
    }

    @Test(arguments: [(0, "0100"), (1, "0100"), (10, "0a00"), (11, "0a00"), (500, "0a00")])
    func `always has receipts, and at least one in ten packets`(_ requested: Int, _ interval: String) throws {
        var script = try script(receipts: requested)
        script.expect([
            ("100101", "write 02"), ("done", "packet 7f29"), ("done", "listen"),
            ("100201", "write 08\(interval)"),
        ])
    }

    @Test func `uses the lower half of the number of received bytes`() throws {
        var script = try script()
        script.expect([
            ("100101", "write 02"), ("done", "packet 7f29"), ("done", "listen"), ("100201", "write 080800"),
            ("done", "write 03"), ("done", "rest 2000"), ("done", "send 0..<160"), ("done", "listen"),
            ("11a000cdab", "send 160..<320"), ("done", "listen"), ("timeout", "write 07"), ("done", "listen"),
            ("1007014001cdab", "send 320..<400"),
        ])
    }

    @Test func `ends when the old Start is refused too`() throws {
        for refusal in ["100103", "timeout"] {
            var script = try script()
            script.expect([("100103", "listen"), (refusal, "fail image-type-unsupported")])
        }
    }

    @Test func `does not mistake a repeated first refusal for another one`() throws {
        var script = try script()
        script.expect([("100103", "listen"), ("100101", "write 02")])
    }

    @Test func `is not tried for a SoftDevice or a bootloader`() throws {
        var script = try LegacyScript(LegacySubject.firmware(role: .bootloader))
        #expect(try script.begin() == "subscribe")
        script.expect([
            ("done", "read"), ("absent", "rest 1000"), ("done", "write 0102"),
            ("done", "packet 000000009001000000000000"), ("done", "listen"),
            ("100103", "fail image-type-unsupported"),
        ])
    }

    @Test func `is not tried if there is a version`() throws {
        var script = try LegacyScript()
        try script.connect(version: "0500")
        #expect(script.after("100103") == "fail image-type-unsupported")
    }

    @Test func `continues with the old Start on later links`() throws {
        var script = try script()
        #expect(try script.begin() == "subscribe")
        script.expect([
            ("done", "read"), ("absent", "rest 1000"), ("done", "write 01"), ("done", "packet 90010000"),
        ])
    }
}
