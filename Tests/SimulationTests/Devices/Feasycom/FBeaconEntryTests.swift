import Bytes
import Simulation
import TestSupport
import Testing

@Suite struct `The entry into an FBeacon update` {
    private static let staying: Set<Int> = [12, 15, 19, 20, 23, 24, 32, 34, 37, 40, 47, 49, 50]

    private static func answer(
        _ change: (inout FBeaconDescription) -> Void
    ) throws -> (String, FBeaconBench) {
        var bench = try FBeaconBench([], change)
        bench.connect()
        let answer = bench.ask("EnterDFU0")
        return (answer, bench)
    }

    @Test func `is answered with version, bootloader and model, the low byte first`() throws {
        let (answer, bench) = try Self.answer { $0.entry.staysConnected = false }
        #expect(answer == "OK,3E038B021500")
        #expect(bench.statistics.entries == [0])
    }

    @Test(arguments: 0...60) func `continues over the same link with the models that do`(model: Int) throws {
        var (_, bench) = try Self.answer {
            $0.entry.staysConnected = nil
            $0.advertiser.model = UInt8(model)
        }
        let text = "OK,3E038B02" + HexText.encode([UInt8(model)]).uppercased() + "00"
        #expect(String(decoding: bench.heard[0].value, as: UTF8.self) == text)
        bench.pass(for: .seconds(1))
        #expect(bench.isLinked)
        #expect(bench.heard.dropFirst().allSatisfy { $0.value == [0x53] })
        #expect((bench.heard.count > 1) == Self.staying.contains(model))
        bench.pass(for: .seconds(1))
        #expect(bench.isLinked == Self.staying.contains(model))
    }

    @Test func `continues over the next link, once a client subscribes`() throws {
        var (_, bench) = try Self.answer { $0.entry.staysConnected = false }
        #expect(bench.ask(FBeaconPackets.packet(1, [1])) == [])
        #expect(bench.errors.allSatisfy { $0 == .bytesBeforeReconnect })
        bench.pass(for: .seconds(1))
        bench.disconnect()
        #expect(bench.programStart - bench.now == .milliseconds(500))
        bench.pass(for: .seconds(3))
        bench.connect(listens: false)
        #expect(bench.listen(for: .seconds(5)) == [])
        bench.disconnect()
        bench.connect()
        #expect(bench.heard.last?.value == [0x53])
        let payload = FBeaconPackets.bytes(3000)
        #expect(bench.send(payload) == true)
        #expect(bench.ask([0x04], within: .milliseconds(100)) == [0x06])
        bench.settle()
        #expect(bench.device.running?.version == 831)
    }

    @Test func `is dropped if no client connects`() throws {
        var (_, bench) = try Self.answer { $0.entry.staysConnected = false }
        bench.disconnect()
        bench.pass(for: .seconds(31))
        bench.connect()
        #expect(bench.listen(for: .seconds(3)) == [])
        #expect(bench.ask("EnterDFU1") == "OK,3E038B021500")
        bench.pass(for: .milliseconds(500))
        bench.powerCycle()
        bench.connect()
        #expect(bench.listen(for: .seconds(3)) == [])
    }

    @Test(arguments: [
        ("EnterDFU", [FBeaconRule.unknownDigit]), ("EnterDFU2", [.unknownDigit]),
        ("EnterDFU00", [.unknownDigit]), ("EnterDFU0\r\n", [.unknownDigit]),
    ])
    func `accepts only 0 and 1`(text: String, errors: [FBeaconRule]) throws {
        var bench = try FBeaconBench()
        bench.connect()
        #expect(bench.ask(text) == "ERROR\r\n")
        #expect(bench.errors == errors)
        #expect(bench.ask("EnterDFU1").hasPrefix("OK,3E038B021500"))
        #expect(bench.statistics.entries == [1])
    }

    @Test func `can be refused in any words, and then there is none`() throws {
        for (change, text) in [
            ({ $0.entry.refusal = "ERROR,LOW" }, "ERROR,LOW"), ({ $0.entry.length = 14 }, "OK,3E038B02150"),
            ({ $0.entry.length = 2 }, "OK"), ({ $0.entry.length = 0 }, ""),
        ] as [((inout FBeaconDescription) -> Void, String)] {
            var (answer, bench) = try Self.answer(change)
            #expect(answer == text)
            #expect(bench.listen(for: .seconds(20)) == [])
            #expect(bench.isLinked && bench.statistics.entries == [])
        }
    }

    @Test func `can claim another model or version`() throws {
        let (model, _) = try Self.answer { $0.entry.model = 0x1234 }
        #expect(model.hasPrefix("OK,3E038B023412"))
        let (version, bench) = try Self.answer { $0.entry.version = 12 }
        #expect(version.hasPrefix("OK,0C008B021500"))
        #expect(bench.heardVersion == 830)
    }
}
