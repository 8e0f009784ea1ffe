import Bluetooth
import Testing

@testable import Simulation

@Suite(.timeLimit(.minutes(10))) struct `A beacon with SUOTA` {
    @Test(arguments: SUOTAPersonality.named.keys.sorted())
    func `is updated, and reports the new version`(name: String) async throws {
        let personality = try #require(SUOTAPersonality.named[name])
        try await SUOTAAir.run(personality) { air async throws in
            #expect(try await air.version() == "1.0.0")
            let file = air.file(9000)
            try await air.talk { talk async throws in
                #expect(try await talk.update(file) == 0x02)
                try await talk.reboot()
            }
            #expect(try await air.version() == "2.0.0")
            let payload = await air.beacon.runningImage?.payload
            #expect(payload == Array(file.suffix(9000)))
            let statistics = await air.beacon.statistics
            #expect(statistics.receiver.brokenRules == [])
            #expect(statistics.receiver.starts == 1)
            #expect(statistics.statuses.dropFirst().allSatisfy { $0 == 0x02 })
        }
    }

    @Test func `advertises its service, but not while it is connected`() async throws {
        try await SUOTAAir.run { air in
            let heard = try #require(await air.beacon.advertisement(at: air.time.now))
            #expect(heard.data.services == [BluetoothUUID(0xFEF5)])
            #expect(heard.data.name == "Beacon")
            try await air.talk { _ in
                #expect(await air.beacon.advertisement(at: air.time.now) == nil)
            }
        }
        try await SUOTAAir.run(.da14585, { $0.advertisesService = false }) { air async throws in
            let heard = try #require(await air.beacon.advertisement(at: air.time.now))
            #expect(heard.data.services == [])
        }
    }

    @Test(arguments: [
        (SUOTAPersonality.da14585, ["0d", "f400", "f700", nil]), (.da14580, [nil, nil, nil, nil]),
        (.da14683Channel, ["0d", "f400", "f700", "8100"]), (.da14681Old, [nil, nil, nil, nil]),
    ])
    func `has the features of its version`(personality: SUOTAPersonality, values: [String?]) async throws {
        try await SUOTAAir.run(personality) { air async throws in
            try await air.talk { talk async throws in
                let optional = [
                    AttributeTable.suotaVersion, AttributeTable.suotaPatchDataSize, AttributeTable.suotaMTU,
                    AttributeTable.suotaPSM,
                ]
                for (uuid, value) in zip(optional, values) { #expect((try? await talk.read(uuid)) == value) }
                #expect(try await talk.read(AttributeTable.suotaStatus) == "00")
                #expect(try await talk.read(AttributeTable.suotaMemoryInfo) == "00000000")
            }
        }
    }

    @Test func `reports STATUS and MEM_INFO on a read`() async throws {
        try await SUOTAAir.run(.da14585, faults: [.loseNotification(2)]) { air async throws in
            try await air.talk { talk async throws in
                #expect(try await talk.start() == 0x10)
                try await talk.length(240)
                let file = air.file()
                #expect(try await talk.block(file[..<240], chunk: 20) == nil)
                #expect(try await talk.read(AttributeTable.suotaStatus) == "02")
                #expect(try await talk.read(AttributeTable.suotaMemoryInfo) == "f0000000")
                #expect(try await talk.read(AttributeTable.suotaPatchLength) == "f000")
            }
        }
    }

    @Test func `refuses chunks that are too long, and wrong lengths`() async throws {
        try await SUOTAAir.run(.da14683) { air async throws in
            try await air.talk { talk async throws in
                await #expect(throws: GATTError.self) { try await talk.command([0, 0, 0x13]) }
                let data = SUOTATalk.at(AttributeTable.suotaPatchData)
                await #expect(throws: GATTError.self) { try await talk.client.write([1], to: data) }
                await #expect(throws: GATTError.self) {
                    try await talk.client.write([UInt8](repeating: 0, count: 245), to: data)
                }
            }
            #expect(await air.beacon.statistics.refusals == 2)
        }
    }

    @Test func `answers after its flash`() async throws {
        try await SUOTAAir.run(.da14585) { air async throws in
            try await air.talk { talk async throws in
                #expect(try await talk.start() == 0x10)
                try await talk.length(240)
                let before = air.time.now
                #expect(try await talk.block(air.file()[..<240], chunk: 240) == 0x02)
                #expect(air.time.now - before > .milliseconds(271))
            }
        }
    }

    @Test func `answers nothing at all while its flash is busy`() async throws {
        try await SUOTAAir.run(.da14585) { air async throws in
            try await air.talk { talk async throws in
                #expect(try await talk.start() == 0x10)
                try await talk.length(240)
                let before = air.time.now
                try await talk.client.send(
                    Array(air.file()[..<240]), to: SUOTATalk.at(AttributeTable.suotaPatchData))
                #expect(try await talk.read(AttributeTable.suotaMemoryInfo) == "f0000000")
                #expect(air.time.now - before > .milliseconds(271))
            }
        }
    }

    @Test(arguments: [SUOTAPersonality.da14585, .da14683, .da14695Attributes])
    func `comes back with the old image after a cut`(personality: SUOTAPersonality) async throws {
        try await SUOTAAir.run(personality, faults: [.suota(.cutInBlock(3))]) { air async throws in
            try? await air.talk { talk async throws in _ = try await talk.update(air.file(3000)) }
            #expect(try await air.version() == "1.0.0")
            let restarts = await air.beacon.statistics.receiver.resets
            // Once initially; started updates reset it.
            #expect(restarts == (personality.family == .da1458x ? 1 : 2))
            try await air.talk { talk async throws in #expect(try await talk.update(air.file(3000)) == 0x02) }
        }
    }

    @Test(arguments: 1...13) func `starts the old image after a power loss in a block`(block: Int)
        async throws
    {
        try await SUOTAAir.run(.da14585, faults: [.suota(.powerLossInBlock(block))]) { air async throws in
            try? await air.talk { talk async throws in _ = try await talk.update(air.file(3000)) }
            #expect(try await air.version() == "1.0.0")
            try await air.talk { talk async throws in
                #expect(try await talk.update(air.file(3000)) == 0x02)
                try await talk.reboot()
            }
            #expect(try await air.version() == "2.0.0")
        }
    }

    @Test func `can send a status twice, before the response, or a wrong one`() async throws {
        let faults: [Fault] = [
            .doubleNotification(1), .suota(.replaceStatus(3, with: 0x07)), .suota(.earlyNotification(4)),
        ]
        try await SUOTAAir.run(.da14585, faults: faults) { air async throws in
            try await air.talk { talk async throws in
                #expect(try await talk.start() == 0x10)
                #expect(try await talk.status() == 0x10)
                try await talk.length(0)
                #expect(try await talk.status() == 0x05)
                try await talk.length(0)
                #expect(try await talk.status() == 0x07)
                #expect(try await talk.read(AttributeTable.suotaStatus) == "07")
                #expect(try await talk.ask([0, 0, 0, 0x13]) == 0x10)
            }
        }
    }

    @Test func `can answer a write late`() async throws {
        try await SUOTAAir.run(.da14585, faults: [.suota(.delayResponse(1, by: .seconds(3)))]) {
            air async throws in
            try await air.talk { talk async throws in
                // The first response is that to the Client Characteristic Configuration, which is not a write to it.
                let before = air.time.now
                try await talk.command([0, 0, 0, 0x13])
                #expect(air.time.now - before > .seconds(3))
                #expect(try await talk.status(within: .milliseconds(1)) == 0x10)
            }
        }
    }

    @Test func `continues with the old image if it ignores REBOOT`() async throws {
        try await SUOTAAir.run(.da14585, faults: [.suota(.ignoreReboot)]) { air async throws in
            try await air.talk { talk async throws in
                #expect(try await talk.update(air.file()) == 0x02)
                try await talk.reboot()
            }
            #expect(try await air.version() == "1.0.0")
            #expect(await air.beacon.nextImage?.version == "2.0.0")
            await air.beacon.powerCycle()
            #expect(try await air.version() == "2.0.0")
        }
    }

    @Test func `is not reached at wrong pins`() async throws {
        try await SUOTAAir.run(.da14585, faults: [.suota(.wrongPins(.productHeader))]) { air async throws in
            try await air.talk { talk async throws in #expect(try await talk.update(air.file()) == 0x14) }
        }
    }

    @Test func `does not appear without an image that starts`() async throws {
        try await SUOTAAir.run(.da14585, { $0.board.first = nil }) { air async throws in
            #expect(await air.beacon.advertisement(at: air.time.now) == nil)
            #expect(await air.beacon.runningImage == nil)
        }
    }

    @Test func `indicates on request, on 58x`() async throws {
        for (personality, count) in [(SUOTAPersonality.da14585, 1), (.da14683, 0)] {
            try await SUOTAAir.run(personality) { air async throws in
                let near = try await air.adapter.open(
                    .attributes, to: air.address, asking: LinkRequest(), within: .seconds(5))
                defer { near.close() }
                var indications = 0
                // Handles in the order of the table.
                for packet in [[0x12, 26, 0, 2, 0], [0x12, 15, 0, 0, 0, 0, 0x13]] as [[UInt8]] {
                    try await near.send(packet)
                    _ = try await near.receive()
                }
                let beacon = air.beacon
                #expect(await beacon.statistics.statuses == [0x10])
                if count == 1 {
                    #expect(try await near.receive()?.first == 0x1D)
                    indications += 1
                }
                #expect(indications == count)
            }
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `The channel of a beacon with SUOTA` {
    private func open(_ air: SUOTAAir, _ psm: UInt16 = SUOTATalk.psm) async throws(AdapterError)
        -> PacketSocket
    {
        try await air.adapter.open(
            .creditBased(psm: psm), to: air.address, asking: LinkRequest(), within: .seconds(5))
    }

    @Test(arguments: [SUOTAPersonality.da14683Channel, .da14695])
    func `carries an update`(personality: SUOTAPersonality) async throws {
        try await SUOTAAir.run(personality) { air async throws in
            let file = air.file(20_000)
            try await air.talk { talk async throws in
                #expect(try await talk.ask([0, 0, 0, 0x13]) == 0x10)
                let channel = try await open(air)
                defer { channel.close() }
                #expect(await air.adapter.parameters(of: channel).maximumPacket == 247)
                for start in stride(from: 0, to: file.count, by: 245) {
                    try await channel.send(Array(file[start..<min(start + 245, file.count)]))
                }
                while try await talk.read(AttributeTable.suotaMemoryInfo) != "444e0000", file.count == 20_036
                {
                    try await air.time.sleep(for: .milliseconds(100))
                }
                try await air.time.sleep(for: .seconds(2))
                #expect(try await talk.ask([0, 0, 0, 0xFE]) == 0x02)
                try await talk.reboot()
            }
            #expect(try await air.version() == "2.0.0")
            let statistics = await air.beacon.statistics
            #expect(statistics.channels == 1)
            #expect(statistics.receiver.channelPackets == (file.count + 244) / 245)
            #expect(statistics.receiver.brokenRules == [])
        }
    }

    @Test func `is refused if the beacon does not listen`() async throws {
        try await SUOTAAir.run(.da14683Channel) { air async throws in
            await #expect(throws: AdapterError.self) { try await open(air) }
            try await air.talk { talk async throws in
                await #expect(throws: AdapterError.self) { try await open(air) }
                #expect(try await talk.ask([0, 0, 0, 0x13]) == 0x10)
                await #expect(throws: AdapterError.self) { try await open(air, 0x83) }
                let channel = try await open(air)
                await #expect(throws: AdapterError.self) { try await open(air) }
                channel.close()
            }
        }
        for (personality, faults) in [
            (SUOTAPersonality.da14683, []), (.da14585, []), (.da14683Channel, [Fault.suota(.refuseChannel)]),
        ] {
            try await SUOTAAir.run(personality, faults: faults) { air async throws in
                try await air.talk { talk async throws in
                    #expect(try await talk.ask([0, 0, 0, 0x13]) == 0x10)
                    await #expect(throws: AdapterError.self) { try await open(air) }
                }
            }
        }
    }

    @Test func `ends with its link`() async throws {
        try await SUOTAAir.run(.da14683Channel) { air async throws in
            let channel = try await air.talk { talk async throws in
                #expect(try await talk.ask([0, 0, 0, 0x13]) == 0x10)
                return try await open(air)
            }
            #expect(try await channel.receive() == nil)
            #expect(try await air.version() == "1.0.0")
            #expect(await air.beacon.statistics.receiver.resets == 2)
        }
    }

    /// During the erase of the first sector, which begins with the third packet.
    @Test(arguments: [1, 6, 9]) func `accepts as many packets as it gave credits while its flash is busy`(
        credits: Int
    ) async throws {
        var personality = SUOTAPersonality.da14683Channel
        personality.channelCredits = credits
        personality.timing = FlashTiming(
            pageErase: .seconds(2), pieceWrite: .zero, pageProgram: .zero)
        try await SUOTAAir.run(personality) { air async throws in
            let file = air.file(6000)
            try await air.talk { talk async throws in
                #expect(try await talk.ask([0, 0, 0, 0x13]) == 0x10)
                let channel = try await open(air)
                defer { channel.close() }
                async let all: Void = channel.send(file[...], inPacketsOf: 245, after: [])
                try await air.time.sleep(for: .seconds(1))
                let statistics = await air.beacon.statistics
                #expect(statistics.receiver.channelPackets == 3)
                #expect(statistics.commandsReceived == 3 + credits)
                try await all
                try await air.time.sleep(for: .seconds(5))
                #expect(await air.beacon.statistics.receiver.bytes == file.count)
            }
        }
    }

    /// Buffered bytes are not in the image yet, whatever is written to the service.
    @Test func `counts the bytes taken out of its buffer`() async throws {
        var personality = SUOTAPersonality.da14683Channel
        personality.timing = FlashTiming(
            pageErase: .seconds(2), pieceWrite: .zero, pageProgram: .zero)
        try await SUOTAAir.run(personality) { air async throws in
            try await air.talk { talk async throws in
                #expect(try await talk.ask([0, 0, 0, 0x13]) == 0x10)
                let channel = try await open(air)
                defer { channel.close() }
                try await channel.send(air.file(1500)[...], inPacketsOf: 245, after: [])
                try await air.time.sleep(for: .seconds(1))
                #expect(await air.beacon.state.memoryInfo == 3 * 245)
            }
        }
    }

    @Test func `reports an image's error on STATUS`() async throws {
        try await SUOTAAir.run(.da14683Channel) { air async throws in
            try await air.talk { talk async throws in
                #expect(try await talk.ask([0, 0, 0, 0x13]) == 0x10)
                let channel = try await open(air)
                defer { channel.close() }
                try await channel.send([UInt8](repeating: 0x70, count: 100))
                #expect(try await talk.status() == 0x12)
            }
        }
    }

    @Test(arguments: 1...12) func `starts the old image after a power loss during it`(block: Int) async throws
    {
        try await SUOTAAir.run(.da14683Channel, faults: [.suota(.powerLossInBlock(block))]) {
            air async throws in
            try? await air.talk { talk async throws in
                _ = try await talk.ask([0, 0, 0, 0x13])
                let channel = try await open(air)
                defer { channel.close() }
                let file = air.file(6000)
                for start in stride(from: 0, to: file.count, by: 245) {
                    try await channel.send(Array(file[start..<min(start + 245, file.count)]))
                }
                try await air.time.sleep(for: .seconds(5))
            }
            #expect(try await air.version() == "1.0.0")
            #expect(await air.beacon.statistics.receiver.resets >= 2)
        }
    }
}
