import Bytes
import Simulation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `The transfer of an FBeacon update` {
    private static let payload = FBeaconPackets.bytes(2500)
    private static let first = FBeaconPackets.packet(1, FBeaconPackets.bytes(1024))

    private static func open(_ faults: [FBeaconFault] = []) throws -> FBeaconBench {
        var bench = try FBeaconBench(faults)
        bench.open()
        return bench
    }

    @Test(arguments: FBeaconTransfer.Opening.allCases)
    func `is requested 16 times, and then abandoned`(opening: FBeaconTransfer.Opening) throws {
        var bench = try FBeaconBench { $0.transfer.opening = opening }
        bench.connect()
        bench.write(FBeaconBench.enter)
        bench.pass(for: .milliseconds(12_799))
        let polls = bench.heard.dropFirst().flatMap(\.value)
        #expect(polls == [UInt8](repeating: opening.rawValue, count: 16))
        let moments = bench.heard.dropFirst().map { $0.at - bench.heard[1].at }
        #expect(moments == (0..<16).map { .milliseconds(800 * $0) })
        #expect(bench.isLinked)
        bench.pass(for: .milliseconds(1))
        #expect(!bench.isLinked && bench.record.givenUp == 1)
        bench.settle()
        #expect(bench.device.running?.version == 830)
    }

    @Test func `ends when the client cancels it`() throws {
        for start in [0, 1] {
            var bench = try Self.open()
            if start == 1 { #expect(bench.ask(Self.first) == [0x06]) }
            #expect(bench.ask([0x18], within: .milliseconds(200)) == [])
            #expect(bench.ask([0x18], within: .milliseconds(200)) == [0x06])
            #expect(bench.ask([0x18], within: .milliseconds(200)) == [])
            #expect(bench.record.clientCancellations == 1)
            bench.settle()
            #expect(bench.device.running?.version == 830 && !bench.isLinked)
        }
    }

    @Test func `does not end for a single CAN, nor for one inside a packet`() throws {
        var bench = try Self.open()
        #expect(bench.ask([0x18]) == [])
        #expect(bench.ask(FBeaconPackets.packet(1, [UInt8](repeating: 0x18, count: 1024))) == [0x06])
        #expect(bench.ask([0x18]) == [])
        #expect(bench.ask(FBeaconPackets.packet(2, [UInt8](repeating: 0x18, count: 1024))) == [0x06])
        #expect(bench.record.clientCancellations == 0)
    }

    @Test func `does not end before it has begun`() throws {
        var bench = try Self.open()
        #expect(bench.ask([0x04], within: .milliseconds(500)) == [0x18, 0x18, 0x18])
        #expect(bench.errors == [.endWithoutData])
        bench.settle()
        #expect(bench.device.running?.version == 830)
    }

    @Test func `accepts no packet before it has requested one`() throws {
        var bench = try FBeaconBench { $0.timing = .stock }
        bench.connect()
        // The settings are still being written when the update is entered.
        #expect(bench.ask("$OpenFscAtEngine$") == "$OK,Opened$")
        bench.write(Array("AT+TXPOWER=1\r\n".utf8))
        bench.write(FBeaconBench.enter)
        bench.write(Array(Self.first.prefix(200)))
        #expect(bench.errors == [.packetBeforeOpening])
    }

    @Test func `refuses a file's header`() throws {
        for (start, end) in [("dd07", "e007"), ("4642", "5550")] {
            var bench = try Self.open()
            let header = [UInt8](hex: start) + [UInt8](repeating: 1, count: 28) + [UInt8](hex: end)
            #expect(
                bench.ask(FBeaconPackets.packet(1, header), within: .milliseconds(500)) == [0x18, 0x18, 0x18])
            #expect(bench.errors == [.fileHeader])
            bench.settle()
            #expect(bench.device.running?.version == 830)
        }
    }

    @Test func `accepts no more than its capacity`() throws {
        var bench = try FBeaconBench { $0.maximumImageSize = 8192 }
        bench.open()
        #expect(bench.send(FBeaconPackets.bytes(8192)) == true)
        #expect(
            bench.ask(FBeaconPackets.packet(9, [1]), within: .milliseconds(500)) == [0x18, 0x18, 0x18])
        bench.settle()
        #expect(bench.device.running?.version == 830)
    }

    @Test func `is acknowledged once more when its end is repeated`() throws {
        var bench = try Self.open()
        #expect(bench.send(Self.payload) == true)
        #expect(bench.ask([0x04]) == [0x06])
        #expect(bench.ask([0x04]) == [0x06])
        #expect(bench.ask(FBeaconPackets.packet(4, [1])) == [])
        #expect(bench.ask([0x18, 0x18, 0x18]) == [])
        #expect(bench.errors == [.packetAfterEnd])
        bench.settle()
        #expect(bench.device.running?.version == 831 && bench.record.images == 1)
    }

    // MARK: Faults

    @Test func `can have its packets refused`() throws {
        var bench = try Self.open([.refusePacket(1), .refusePacket(2), .refuseFromPacket(5)])
        #expect(bench.ask(Self.first) == [0x15])
        #expect(bench.ask(Self.first) == [0x15])
        #expect(bench.send(FBeaconPackets.bytes(2048)) == true)
        for _ in 0..<30 { #expect(bench.ask(FBeaconPackets.packet(3, [1])) == [0x15]) }
        #expect(bench.record.refusals == 32 && bench.record.blocks == 2 && bench.errors == [])
    }

    @Test func `can have answers that are lost, late, replaced, or preceded by a flood`() throws {
        var bench = try Self.open([
            .loseAnswer(1), .replaceAnswer(3, with: 0x3F), .floodRefusals(4),
            .delayAnswer(5, by: .seconds(2)),
        ])
        #expect(bench.ask(Self.first, within: .seconds(1)) == [])
        #expect(bench.ask(Self.first) == [0x06])
        #expect(bench.ask(FBeaconPackets.packet(2, [2])) == [0x3F])
        #expect(bench.ask(FBeaconPackets.packet(3, [3])) == [UInt8](repeating: 0x15, count: 10) + [0x06])
        #expect(bench.ask(FBeaconPackets.packet(4, [4]), within: .milliseconds(1999)) == [])
        #expect(bench.listen(for: .milliseconds(1)) == [0x06])
        #expect(bench.record.blocks == 4)
    }

    @Test func `can be cancelled in the middle`() throws {
        var bench = try Self.open([.cancelAtPacket(2)])
        #expect(bench.ask(Self.first) == [0x06])
        let before = bench.now
        #expect(bench.ask(FBeaconPackets.packet(2, [2]), within: .seconds(1)) == [0x18, 0x18, 0x18])
        #expect(bench.heard.suffix(3).map { $0.at - before } == (0..<3).map { .milliseconds(200 * $0) })
        #expect(bench.ask(FBeaconPackets.packet(2, [2])) == [])
        bench.settle()
        #expect(bench.device.running?.version == 830 && bench.errors == [])
    }

    @Test func `can have an end that is lost, or refused`() throws {
        var bench = try Self.open([.ignoreEnd(1), .refuseEnd(2)])
        #expect(bench.send(Self.payload) == true)
        #expect(bench.ask([0x04], within: .seconds(1)) == [])
        #expect(bench.ask([0x04]) == [0x15])
        #expect(bench.ask([0x04]) == [0x06])
        bench.settle()
        #expect(bench.device.running?.version == 831)
    }

    @Test(arguments: [FBeaconFault.cutInPacket(2), .powerLossInPacket(2)])
    func `can end in the middle of a packet, once`(fault: FBeaconFault) throws {
        var bench = try Self.open([fault])
        #expect(bench.ask(Self.first) == [0x06])
        bench.write(FBeaconPackets.packet(2, [2]))
        #expect(!bench.isLinked && bench.record.packets == 1)
        #expect(bench.device.running?.version == 830)
        #expect(bench.update(Self.payload) == [0x06])
        bench.settle()
        #expect(bench.device.running?.version == 831)
    }

    /// Whatever is written in whatever order, only a whole image is ever installed.
    @Test(arguments: 0..<50) func `survives noise`(number: UInt64) throws {
        var seed = Seed(Seed.ofThisRun &+ number)
        var bench = try FBeaconBench { $0.images = .known([FBeaconImage(Self.payload, version: 900)]) }
        let texts = ["EnterDFU0", "$OpenFscAtEngine$", "AT+NAME\r\n", ""].map { Array($0.utf8) }
        let words = texts + [[0x04], [0x18]] + FBeaconPackets.packets(FBeaconPackets.bytes(3000))
        for _ in 0..<300 {
            if !bench.isLinked { bench.connect(mtu: [23, 185, 247].randomElement(using: &seed) ?? 23) }
            var word = words.randomElement(using: &seed) ?? []
            if seed.isOneIn(3), let index = word.indices.randomElement(using: &seed) {
                word[index] = UInt8.random(in: 0...255, using: &seed)
            }
            if seed.isOneIn(4) { word = Array(word.prefix(Int.random(in: 0...word.count, using: &seed))) }
            bench.write(word)
            bench.pass(for: .milliseconds(Int.random(in: 0...900, using: &seed)))
            if seed.isOneIn(40) { bench.powerCycle() }
        }
        bench.settle()
        #expect(bench.device.running?.version == 830)
        #expect(bench.update(Self.payload) == [0x06])
        bench.settle()
        #expect(bench.device.running == FBeaconFirmware(version: 900, payload: Self.payload))
    }
}
