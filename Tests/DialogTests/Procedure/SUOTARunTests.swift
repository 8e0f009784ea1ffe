import TestSupport
import Testing
import UpdateModel

@testable import Dialog

@Suite struct `A SUOTA run in writes` {
    @Test func `goes from the start through the blocks to the restart`() throws {
        var script = try SUOTAScript()
        script.reachBlocks()
        script.expect(
            SUOTAScript.blocks + [
                ("02", "read count"), ("has 1088", "ask 000000fe"), ("02", "read status"),
                ("02", "write 000000fd"), ("done", "complete"),
            ])
        #expect(script.procedure.total == 1089)
        #expect(script.completion?.expectedAddresses == [.sameAddress])
        #expect(script.procedure.expectedVersion == ExpectedVersion(announced: "1.2.3"))
    }

    @Test func `reports the phases of the vendor's library, in order`() throws {
        var script = try SUOTAScript()
        script.reachEnd(["manufacturer": "446961", "firmware revision": "312e322e3200"])
        script.expect([("02", "read status"), ("02", "write 000000fd"), ("done", "complete")])
        let notices = script.takeNotices()
        let details = notices.compactMap { notice -> UpdateDetail? in
            if case .detail(let detail) = notice { detail } else { nil }
        }
        let logs = details.compactMap { detail -> String? in
            if case .log(_, .info, let text) = detail { text } else { nil }
        }
        #expect(
            logs == [
                "upload 1089, block 240, chunk 20, blocks 5, chunks 55, chunks per block 12, XOR ae",
                "notifications are turned on", "memory device 13000000", "GPIO map 05060300",
                "the upload begins",
                "patch length 240", "a shorter last block", "patch length 129", "upload done in 0.360 s",
                "end signal", "update done in 0.480 s",
            ])
        #expect(
            details.prefix(4) == [
                .deviceInformation(name: "manufacturer", value: "Dia"),
                .deviceInformation(name: "firmware revision", value: "1.2.2"),
                .deviceInformationRead(isPresent: true), .ready,
            ])
        #expect(
            details.contains(.log(state: "send-block", kind: .block, text: "block 2 of 5, 0.060 s, 4000 B/s"))
        )
        #expect(details.contains(.block(number: 5, of: 5)))
        #expect(details.contains(.verified(seconds: 0.48, uploadSeconds: 0.36)))
        #expect(details.last == .rebootSent)
        #expect(
            notices.filter { if case .detail = $0 { false } else { true } } == [
                .phase(.preparing), .phase(.transferring), .accepted(upTo: 240), .accepted(upTo: 480),
                .accepted(upTo: 720), .accepted(upTo: 960), .accepted(upTo: 1089), .phase(.activating),
            ])
    }

    @Test func `has blocks of two long packets if the device is of SDK 6`() throws {
        var script = try SUOTAScript()
        script.reachBlocks(SUOTASubject.sdk6, length: 488, "send 0..<488 by 244")
        script.expect(
            [
                ("done", "listen 5000"), ("02", "send 488..<976 by 244"), ("done", "listen 5000"),
                ("02", "length 113"),
                ("done", "send 976..<1089 by 113"), ("done", "listen 5000"), ("02", "read count"),
            ].map { ($0.0, $0.1.replacing(" by 113", with: " by 244")) })
    }

    @Test func `writes the requested pins, bank and memory`() throws {
        var preferences = SUOTAPreferences()
        preferences.pins = try PinMap("miso=P0_3,mosi=P0_0,cs=P0_1,sck=P0_4")
        (preferences.bank, preferences.risks) = (.second, [.runningBank])
        var script = try SUOTAScript(nil, preferences)
        script.reachBlocks(start: "02000013", pins: "04010003")
        preferences = SUOTAPreferences()
        preferences.pins = .vendorI2C
        script = try SUOTAScript(nil, preferences)
        script.reachBlocks(start: "00000012", pins: "03025000")
    }

    @Test func `sends a DA1468x its image likewise, and expects its count to include the XOR`() throws {
        var script = try SUOTAScript(SUOTASubject.image(.da1468x))
        script.reachBlocks()
        script.expect([
            ("done", "listen 5000"), ("02", "send 240..<480 by 20"), ("done", "listen 5000"),
            ("02", "send 480..<720 by 20"), ("done", "listen 5000"), ("02", "send 720..<960 by 20"),
            ("done", "listen 5000"), ("02", "length 101"), ("done", "send 960..<1061 by 20"),
            ("done", "listen 5000"), ("02", "read count"), ("has 1061", "ask 000000fe"),
            ("02", "read status"),
            ("02", "write 000000fd"), ("refused", "complete"),
        ])
    }

    @Test func `reports every chunk on request`() throws {
        var preferences = SUOTAPreferences()
        preferences.reportsChunks = true
        var script = try SUOTAScript(SUOTASubject.image(payload: 36), preferences)
        script.reachBlocks(length: 101, "send 0..<20 by 20")
        script.expect([
            ("done", "send 20..<40 by 20"), ("done", "send 40..<60 by 20"), ("done", "send 60..<80 by 20"),
            ("done", "send 80..<100 by 20"), ("done", "send 100..<101 by 20"), ("done", "listen 5000"),
        ])
        let chunks = script.takeNotices().compactMap { notice -> UpdateDetail.Position? in
            if case .detail(.chunk(let place)) = notice { place } else { nil }
        }
        #expect(chunks.map(\.chunk) == [1, 2, 3, 4, 5, 6])
        #expect(
            chunks.last
                == UpdateDetail.Position(
                    chunk: 6, of: 6, chunkOfBlock: 6, chunksPerBlock: 6, block: 1, blocks: 1))
    }

    @Test func `continues if the device cannot report its count`() throws {
        var script = try SUOTAScript()
        script.reachBlocks()
        script.expect(
            SUOTAScript.blocks + [
                ("02", "read count"), ("absent", "ask 000000fe"), ("02", "read status"),
                ("absent", "write 000000fd"),
                ("done", "complete"),
            ])
    }
}

@Suite struct `A SUOTA run over a channel` {
    @Test(arguments: [
        (-5, 1), (0, 1), (2, 1), (23, 21), (246, 244), (247, 245), (493, 245), (494, 492), (512, 492),
        (1024, 986),
        (4099, 1974), (70_000, 1974),
    ])
    func `fills frames that fill the link's packets`(_ limit: Int, _ length: Int) throws {
        var script = try SUOTAScript(SUOTASubject.image(.da1468x))
        _ = script.procedure.beginChannel(inPacketsOf: limit)
        #expect(script.procedure.attempt.packetLength == length)
    }

    private func script(_ transport: SUOTATransport? = nil) throws -> SUOTAScript {
        var preferences = SUOTAPreferences()
        preferences.transport = transport
        return try SUOTAScript(SUOTASubject.image(.da1468x), preferences)
    }

    @Test(arguments: [nil, .l2cap] as [SUOTATransport?])
    func `has no length, no blocks and no XOR`(_ transport: SUOTATransport?) throws {
        var script = try script(transport)
        #expect(script.identify(SUOTASubject.da1468x) == "subscribe")
        #expect(script.procedure.attempt.channel != nil)
        script.expect([
            ("done", "ask 00000013"), ("10", "open 0x81"), ("opened 120", "pour 0..<1060 by 118"),
            ("done", "listen 0"), ("timeout", "read count"), ("has 1060", "ask 000000fe"),
            ("02", "read status"),
            ("02", "write 000000fd"), ("done", "complete"),
        ])
        #expect(script.procedure.total == 1060)
        #expect(script.takeNotices().contains(.accepted(upTo: 1060)))
    }

    @Test func `has sent no XOR when a later link shows the new version`() throws {
        var script = try script()
        #expect(script.identify(SUOTASubject.da1468x) == "subscribe")
        script.expect([
            ("done", "ask 00000013"), ("10", "open 0x81"), ("opened 120", "pour 0..<1060 by 118"),
            ("done", "listen 0"), ("timeout", "read count"), ("has 1060", "ask 000000fe"),
        ])
        #expect(script.identify(["firmware revision": Array("1.2.3".utf8).hex]) == "complete")
        #expect(script.procedure.total == 1060)
    }

    /// The wait is the estimated time for the rest at the pace so far; 50 ms if nothing has arrived.
    @Test func `waits with the end until everything has arrived`() throws {
        var script = try script()
        #expect(script.identify(SUOTASubject.da1468x) == "subscribe")
        script.expect([
            ("done", "ask 00000013"), ("10", "open 0x81"), ("opened 2000", "pour 0..<1060 by 1974"),
            ("done", "listen 0"), ("timeout", "read count"), ("has 500", "listen 37"),
            ("timeout", "read count"),
            ("has 500", "listen 50"), ("timeout", "read count"), ("has 1000", "listen 10"),
            ("timeout", "read count"), ("has 1060", "ask 000000fe"),
        ])
    }

    /// The steps before the end.
    private static let poured = [
        ("done", "ask 00000013"), ("10", "open 0x81"), ("opened 120", "pour 0..<1060 by 118"),
        ("done", "listen 0"),
    ]

    @Test func `reads a lost status of the end, because nothing else is answered with 02`() throws {
        var script = try script()
        #expect(script.identify(SUOTASubject.da1468x) == "subscribe")
        script.expect(
            Self.poured + [
                ("timeout", "read count"), ("has 1060", "ask 000000fe"), ("timeout", "read status"),
                ("02", "write 000000fd"), ("done", "complete"),
            ])
    }

    @Test func `waits for the status of the end if 02 was sent before it`() throws {
        var script = try script()
        #expect(script.identify(SUOTASubject.da1468x) == "subscribe")
        script.expect(
            Self.poured + [
                ("02", "read count"), ("has 1060", "ask 000000fe"), ("timeout", "read status"),
                ("02", "read count"), ("has 1060", "listen 5000"),
            ])
    }

    @Test func `is abandoned if nothing more arrives for 30 s, and falls back to writes the third time`()
        throws
    {
        var script = try script()
        for attempt in 1...3 {
            #expect(script.identify(SUOTASubject.da1468x) == "subscribe")
            script.expect([("done", "ask 00000013")])
            if attempt == 3 {
                script.expect([("10", "pins 00030605")])
                return
            }
            script.expect([
                ("10", "open 0x81"), ("opened 120", "pour 0..<1060 by 118"), ("done", "listen 0"),
                ("timeout", "read count"),
            ])
            var command = script.after("has 500")
            var waits = 0
            while command.hasPrefix("listen "), command != "listen 200", waits < 100 {
                #expect(script.after("timeout") == "read count")
                command = script.after("has 500")
                waits += 1
            }
            #expect(waits == 79)
            #expect(command == "listen 200")
            script.expect([("timeout", "write 000000ff"), ("done", "fail no-answer, again")])
        }
    }

    @Test func `is abandoned even if the device counts up and down`() throws {
        var script = try script()
        #expect(script.identify(SUOTASubject.da1468x) == "subscribe")
        script.expect([
            ("done", "ask 00000013"), ("10", "open 0x81"), ("opened 120", "pour 0..<1060 by 118"),
            ("done", "listen 0"), ("timeout", "read count"),
        ])
        var command = script.after("has 500")
        var waits = 0
        while command.hasPrefix("listen "), command != "listen 200", waits < 100 {
            #expect(script.after("timeout") == "read count")
            command = script.after("has \(499 + waits % 2)")
            waits += 1
        }
        #expect(command == "listen 200")
    }

    @Test func `is checked for refusals between two runs of packets`() throws {
        var script = try SUOTAScript(SUOTASubject.image(.da1468x, payload: 20_000))
        #expect(script.identify(SUOTASubject.da1468x) == "subscribe")
        script.expect([
            ("done", "ask 00000013"), ("10", "open 0x81"), ("opened 246", "pour 0..<8052 by 244"),
            ("done", "listen 0"), ("02", "pour 8052..<16104 by 244"), ("done", "listen 0"),
            ("13", "listen 200"),
            ("13", "listen 200"), ("timeout", "write 000000ff"), ("done", "fail image-too-large"),
        ])
    }

    @Test func `falls back to writes if it is refused, unless it was requested`() throws {
        for refusal in ["refused", "timeout"] {
            var script = try script()
            #expect(script.identify(SUOTASubject.da1468x) == "subscribe")
            script.expect([
                ("done", "ask 00000013"), ("10", "open 0x81"), (refusal, "pins 00030605"),
                ("done", "length 488"),
                ("done", "send 0..<488 by 244"),
            ])
            #expect(script.procedure.total == 1061)
        }
        var script = try script(.l2cap)
        #expect(script.identify(SUOTASubject.da1468x) == "subscribe")
        script.expect([
            ("done", "ask 00000013"), ("10", "open 0x81"), ("refused", "listen 200"),
            ("timeout", "write 000000ff"),
            ("done", "fail channel-refused"),
        ])
    }

    @Test func `is not used if the user declines it or the device does not offer it`() throws {
        var script = try script(.gatt)
        script.reachBlocks(SUOTASubject.da1468x, length: 488, "send 0..<488 by 244")
        script = try self.script()
        script.reachBlocks()
        script = try self.script(.l2cap)
        #expect(script.identify() == "fail channel-missing")
        script = try self.script()
        script.reachBlocks(["psm": "0000"])
    }

    @Test func `ends after a time if the device does not count`() throws {
        var script = try script()
        #expect(script.identify(SUOTASubject.da1468x) == "subscribe")
        script.expect([
            ("done", "ask 00000013"), ("10", "open 0x81"), ("opened 2", "pour 0..<1060 by 1"),
        ])
        var command = script.after("done")
        var waits = 0
        while command.hasPrefix("listen "), waits < 100 {
            #expect(script.after("timeout") == "read count")
            command = script.after("has 0")
            waits += 1
        }
        #expect(command == "ask 000000fe")
    }
}
