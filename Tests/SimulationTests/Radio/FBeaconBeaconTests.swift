import Bluetooth
import Testing

@testable import Simulation

@Suite(.timeLimit(.minutes(10))) struct `A beacon with FBeacon updates` {
    @Test(arguments: [21, 20] as [UInt8], [23, 185, 247])
    func `is updated, and reports the new version`(model: UInt8, mtu: Int) async throws {
        let change: @Sendable (inout FBeaconDescription) -> Void = {
            $0.advertiser.model = model
            $0.maximumMTU = mtu
        }
        try await FBeaconAir.run(change) { air async throws in
            let title = model == 21 ? "BP102" : "BP"
            #expect(try await air.information() == [title, "\(title),8.30"])
            #expect(try await air.update(reconnects: model == 21) == [0x06])
            try await air.time.sleep(for: .seconds(5))
            #expect(try await air.information() == [title, "\(title),8.31"])
            #expect(await air.beacon.runningFirmware?.payload.count == 3072)
            let transfer = await air.beacon.statistics.transfer
            #expect(transfer.brokenRules == [] && transfer.blocks == 3 && transfer.refusals == 0)
        }
    }

    @Test func `reports its identity over the air`() async throws {
        try await FBeaconAir.run({
            $0.access.pin = "0000"
            $0.advertiser.battery = FeasycomAdvertiser.externalPower
        }) { air async throws in
            let heard = await air.beacon.advertisement(at: air.time.now)
            #expect(
                heard?.data.elements.contains(
                    .serviceData(
                        BluetoothUUID(0xFFF0),
                        [0x15, 0x03, 0x3E, 0x92, 0xF0, 0x0D, 0xBE, 0xAC, 0x60, 0x00, 0x65])) == true)
        }
    }

    @Test func `requires its PIN, and disconnects`() async throws {
        try await FBeaconAir.run({
            $0.access.pin = "123456"
            $0.access.endsLinkAfterWrongPIN = true
        }) { air async throws in
            try await air.talk { talk async throws in
                #expect(try await talk.ask("$OpenFscAtEngine$") == "$OK,Opened$")
                #expect(try await talk.ask("AT+VER\r\n") == "ERROR\r\n")
                #expect(try await talk.ask("AT+PIN=123456\r\n") == "OK\r\n")
                #expect(try await talk.ask("AT+VER\r\n") == "+VER=BP102,8.30\r\nOK\r\n")
                #expect(try await talk.ask("AT+PIN=000000\r\n") == "ERROR\r\n")
                await #expect(throws: GATTError.self) { _ = try await talk.ask("AT\r\n") }
            }
            #expect(await air.beacon.statistics.wrongPINs == 1)
        }
    }

    @Test func `lights up and beeps until its link ends, and then refuses connections`() async throws {
        try await FBeaconAir.run({ $0.advertiser.features = [.led, .buzzer] }) { air async throws in
            try await air.talk { talk async throws in
                #expect(try await talk.ask("$OpenFscAtEngine$") == "$OK,Opened$")
                for command in ["AT+LED=60000", "AT+BUZ=1,100", "AT+BWMODE=1"] {
                    #expect(try await talk.ask("\(command)\r\n") == "OK\r\n")
                }
                try await air.time.sleep(for: .seconds(2))
            }
            let statistics = await air.beacon.statistics
            for signals in [statistics.lights, statistics.sounds] {
                let lasted = try #require(signals.first).lasted
                #expect(signals.count == 1 && (.seconds(2)...(.seconds(4))).contains(lasted), "\(lasted)")
            }
            try await air.time.sleep(for: .seconds(2))
            #expect(await air.beacon.advertisement(at: air.time.now)?.isConnectable == false)
            await #expect(throws: (any Error).self) { try await air.talk { _ in } }
            #expect(await air.beacon.statistics.links == 1)
        }
    }

    /// 16 times in 12 seconds, and then it restarts.
    @Test func `requests a packet by itself, and gives up`() async throws {
        try await FBeaconAir.run({ $0.entry.staysConnected = true }) { air async throws in
            try await air.talk { talk async throws in
                #expect(try await talk.ask("EnterDFU0") == "OK,3E038B021500")
                let before = air.time.now
                for _ in 0..<16 { #expect(try await talk.next() == [0x53]) }
                #expect(air.time.now - before < .milliseconds(12_100))
                #expect(try await talk.next() == nil)
                await #expect(throws: GATTError.self) { _ = try await talk.ask("AT\r\n") }
            }
            try await air.time.sleep(for: .seconds(2))
            #expect(try await air.information().last == "BP102,8.30")
            #expect(await air.beacon.statistics.transfer.givenUp == 1)
        }
    }

    @Test(arguments: [
        [Fault.fbeacon(.cutInPacket(2))], [.fbeacon(.powerLossInPacket(3))], [.fbeacon(.cancelAtPacket(1))],
        [.cut(afterPacket: 25)],
    ])
    func `keeps its running image when its update is interrupted`(faults: [Fault]) async throws {
        try await FBeaconAir.run(faults: faults) { air async throws in
            let answer = try? await air.update()
            #expect(answer != [0x06])
            try await air.time.sleep(for: .seconds(40))
            #expect(try await air.information().last == "BP102,8.30")
            #expect(try await air.update() == [0x06])
            try await air.time.sleep(for: .seconds(5))
            #expect(try await air.information().last == "BP102,8.31")
        }
    }

    @Test func `gets a packet again whose piece was lost`() async throws {
        try await FBeaconAir.run(faults: [.losePacket(4)], { $0.entry.staysConnected = true }) {
            air async throws in
            #expect(try await air.update(reconnects: false) == nil)
            #expect(await air.beacon.statistics.transfer.refusals == 1)
        }
    }
}
