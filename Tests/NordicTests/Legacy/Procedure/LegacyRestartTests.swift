import TestSupport
import Testing
import UpdateModel

@testable import Nordic

@Suite struct `A disturbed Legacy DFU` {
    @Test func `restarts a bootloader that is in the middle of something, and begins again`() throws {
        var script = try LegacyScript()
        for _ in 0..<2 {
            try script.connect()
            script.expect([("100102", "write 06"), ("done", "restart for wrong-state")])
            #expect(script.procedure.disconnectMeaning == .mayRestart(within: .seconds(30)))
        }
        try script.connect()
        #expect(script.after("100102") == "fail wrong-state")
    }

    @Test func `starts over on a new link, and reports nothing else`() throws {
        var script = try LegacyScript()
        try script.reachImage()
        script.expect([("done", "listen"), ("prn 160", "send 160..<320")])
        #expect(script.procedure.disconnectMeaning == .mustContinue)
        // The device still waits for the rest; the lost link was counted already.
        try script.connect()
        script.expect([("100102", "write 06"), ("done", "restart")])
        _ = script.takeNotices()
        try script.reachImage()
        #expect(script.takeNotices() == [.phase(.preparing), .phase(.transferring)])
        #expect(!script.procedure.resumes)
    }

    /// The engine counts the lost links (`UnitUpdate`).
    @Test func `restarts the device after every lost link`() throws {
        var script = try LegacyScript(LegacySubject.firmware(4000))
        for round in 1...12 {
            try script.reachImage()
            for position in stride(from: 160, through: round * 160, by: 160) {
                script.expect([
                    ("done", "listen"), ("prn \(position)", "send \(position)..<\(position + 160)"),
                ])
            }
            try script.connect()
            script.expect([("100102", "write 06"), ("done", "restart")])
        }
    }

    @Test func `queries the received bytes when a receipt is lost, and continues`() throws {
        var script = try LegacyScript()
        try script.reachImage()
        script.expect([
            ("done", "listen"), ("timeout", "write 07"), ("done", "listen"), ("has 160", "send 160..<320"),
            ("done", "listen"), ("prn 160", "listen"), ("prn 320", "send 320..<400"),
        ])
        #expect(script.procedure.update.restarts == 0)
    }

    @Test func `accepts a receipt that comes during the query`() throws {
        var script = try LegacyScript()
        try script.reachImage()
        script.expect([
            ("done", "listen"), ("timeout", "write 07"), ("done", "listen"), ("prn 160", "send 160..<320"),
            ("done", "listen"), ("has 160", "listen"), ("prn 320", "send 320..<400"),
        ])
    }

    @Test func `distinguishes a stall from slowness by any progress`() throws {
        var script = try LegacyScript()
        try script.reachImage()
        script.expect([
            ("done", "listen"), ("timeout", "write 07"), ("done", "listen"), ("has 40", "listen"),
            ("timeout", "write 07"), ("done", "listen"), ("has 100", "listen"), ("timeout", "write 07"),
            ("done", "listen"), ("has 100", "write 06"), ("done", "restart for transfer-stalled"),
        ])
    }

    @Test func `slows down after a stall, and gives up after the third`() throws {
        var script = try LegacyScript()
        for (interval, first) in [("0800", 0..<160), ("0400", 0..<80)] {
            try script.reachImage(interval: interval, first: first)
            script.expect([
                ("done", "listen"), ("timeout", "write 07"), ("done", "listen"), ("has 20", "listen"),
                ("timeout", "write 07"), ("done", "listen"), ("has 20", "write 06"),
                ("done", "restart for transfer-stalled"),
            ])
        }
        try script.reachImage(interval: "0200", first: 0..<40)
        script.expect([
            ("done", "listen"), ("timeout", "write 07"), ("done", "listen"), ("has 20", "listen"),
            ("timeout", "write 07"), ("done", "listen"), ("has 20", "fail transfer-stalled"),
        ])
        #expect(script.failure?.message == "20 of the 40 bytes sent have arrived, and no more follow")
    }

    /// The attempts that ended in stalls, after which there are 2 packets per receipt.
    @Test(arguments: [(nil, true), (1, false), (2, false)] as [(Int?, Bool)])
    func `recommends one packet per receipt unless that is in force`(
        _ receipts: Int?, _ isAdvised: Bool
    ) throws {
        var script = try LegacyScript(receipts: receipts)
        let wished = receipts ?? 8
        for interval in [wished, max(1, wished / 2), max(1, wished / 4)] {
            try script.reachImage(
                interval: "0\(interval)00", first: 0..<interval * 20)
            script.expect([
                ("done", "listen"), ("timeout", "write 07"), ("done", "listen"), ("has 0", "listen"),
                ("timeout", "write 07"), ("done", "listen"),
            ])
            _ = script.after("has 0")
            _ = script.failure == nil ? script.after("done") : ""
        }
        let failure = try #require(script.failure)
        #expect(failure.code.rawValue == "transfer-stalled")
        for code in [failure.code.rawValue, "image-incomplete"] {
            let advice = script.procedure.remedy(
                for: UpdateFailure(FailureCode(named: code), during: "", message: ""))
            #expect((advice?.parts.contains(.option(.receiptInterval, "1")) ?? false) == isAdvised)
        }
    }

    @Test func `tries a new link when the query is not answered`() throws {
        var script = try LegacyScript()
        try script.reachImage()
        script.expect([
            ("done", "listen"), ("timeout", "write 07"), ("done", "listen"), ("timeout", "write 07"),
            ("done", "listen"), ("timeout", "write 07"), ("done", "listen"),
            ("timeout", "fail no-answer, again"),
        ])
    }

    @Test func `goes down to one packet per receipt when the device reports that it is too fast`() throws {
        var script = try LegacyScript()
        let rounds = [("0800", 0..<160), ("0400", 0..<80), ("0200", 0..<40)]
        for (interval, first) in rounds {
            try script.reachImage(interval: interval, first: first)
            script.expect([("done", "listen"), ("100306", "write 06"), ("done", "restart for too-fast")])
        }
        try script.reachImage(interval: "0100", first: 0..<20)
        script.expect([("done", "listen"), ("100306", "fail too-fast")])
    }

    @Test func `begins with receipts when it was too fast without`() throws {
        var script = try LegacyScript(receipts: 0)
        try script.reachImage(interval: "0000", first: 0..<400)
        script.expect([("done", "listen"), ("100306", "write 06"), ("done", "restart for too-fast")])
        try script.reachImage(interval: "0800", first: 0..<160)
    }

    @Test func `queries when the end is not reported, and checks the image if everything has arrived`() throws
    {
        var script = try LegacyScript(LegacySubject.firmware(8))
        try script.reachImage()
        script.expect([
            ("done", "listen"), ("timeout", "write 07"), ("done", "listen"), ("has 8", "ask 04"),
            ("100301", "listen"), ("100401", "write 05"),
        ])
    }

    @Test func `does not accept an end that comes too early`() throws {
        var script = try LegacyScript()
        try script.reachImage()
        script.expect([
            ("done", "listen"), ("100301", "write 06"), ("done", "restart for unexpected-answer"),
        ])
    }

    @Test func `begins again when the image has another checksum, three times in all`() throws {
        var script = try LegacyScript(LegacySubject.firmware(8))
        for round in 1...3 {
            try script.reachImage()
            script.expect([("done", "listen"), ("100301", "ask 04")])
            if round < 3 {
                script.expect([("100405", "write 06"), ("done", "restart for image-crc-mismatch")])
            } else {
                #expect(script.after("100405") == "fail image-crc-mismatch")
            }
        }
    }

    @Test func `repeats an unanswered Validate once, then begins again`() throws {
        var script = try LegacyScript(LegacySubject.firmware(8))
        try script.reachImage()
        script.expect([
            ("done", "listen"), ("100301", "ask 04"), ("timeout", "ask 04"), ("timeout", "write 06"),
            ("done", "restart for validation-unanswered"),
        ])
        try script.reachImage()
        script.expect([
            ("done", "listen"), ("100301", "ask 04"), ("timeout", "ask 04"), ("100401", "write 05"),
        ])
    }

    @Test func `begins again when Start or the init packet is not answered`() throws {
        var script = try LegacyScript()
        try script.connect()
        script.expect([("timeout", "write 06"), ("done", "restart for no-answer")])
        try script.connect()
        script.expect([
            ("100101", "write 0200"), ("done", "packet \(LegacySubject.initPacket)"), ("done", "ask 0201"),
            ("timeout", "write 06"), ("done", "restart for no-answer"),
        ])
        try script.connect()
        #expect(script.after("timeout") == "fail no-answer")
    }

    @Test func `skips up to 64 unrelated notifications`() throws {
        var script = try LegacyScript()
        try script.connect()
        for _ in 0..<64 { #expect(script.after("100201") == "listen") }
        #expect(script.after("100201") == "fail unexpected-answer")
    }
}

@Suite struct `A link that ends after Activate` {
    /// Up to the request, which is not acknowledged.
    private func script(_ role: FirmwareRole = .application) throws -> LegacyScript {
        var script = try LegacyScript(LegacySubject.firmware(20, role: role))
        try script.reachImage()
        script.expect([("done", "listen"), ("100301", "ask 04"), ("100401", "write 05")])
        return script
    }

    private func isPerhapsDone(_ script: LegacyScript) -> Bool {
        if case .perhapsDone(let completion) = script.procedure.disconnectMeaning {
            completion.isConfirmed && completion.mayHaveMissedStart
        } else {
            false
        }
    }

    @Test func `may have ended because the device was done`() throws {
        var script = try script()
        #expect(isPerhapsDone(script))
        #expect(try script.begin() == "subscribe")
        #expect(isPerhapsDone(script))
        script.expect([("done", "read")])
        #expect(isPerhapsDone(script))
    }

    @Test func `is followed by another Activate if the bootloader still has the image`() throws {
        var script = try script()
        #expect(try script.begin() == "subscribe")
        script.expect([
            ("done", "read"), ("0800", "write 07"), ("done", "listen"), ("has 20", "write 05"),
            ("done", "complete"),
        ])
    }

    @Test func `is followed by a new start if it has not`() throws {
        for words in ["has 0", "100702"] {
            var script = try script()
            #expect(try script.begin() == "subscribe")
            script.expect([("done", "read"), ("0800", "write 07"), ("done", "listen")])
            var command = script.after(words)
            while command == "write 07" || command == "listen" {
                command = script.after(command == "listen" ? words : "done")
            }
            #expect(command == "write 0104", "\(words)")
        }
    }

    @Test(arguments: [(FirmwareRole.bootloader, "complete"), (.application, "write 0104")])
    func `means success the second time for a system part, which cannot be inspected`(
        _ role: FirmwareRole, _ end: String
    ) throws {
        var script = try script(role)
        let size = role == .application ? "000000000000000014000000" : "000000001400000000000000"
        #expect(try script.begin() == "subscribe")
        script.expect([
            ("done", "read"), ("0800", "write 07"), ("done", "listen"),
            ("has 0", "write 010\(script.image.mode)"),
            ("done", "packet \(size)"), ("done", "listen"), ("100101", "write 0200"),
            ("done", "packet \(LegacySubject.initPacket)"), ("done", "ask 0201"), ("100201", "write 080800"),
            ("done", "write 03"), ("done", "rest 100"), ("done", "send 0..<20"), ("done", "listen"),
            ("100301", "ask 04"),
            ("100401", "write 05"),
        ])
        #expect(try script.begin() == "subscribe")
        script.expect([("done", "read"), ("0800", "write 07"), ("done", "listen"), ("has 0", end)])
    }
}
