import Simulation
import Testing

@Suite(.timeLimit(.minutes(10))) struct `An image of an FBeacon update` {
    private static let payload = FBeaconPackets.bytes(5000)
    private static let image = FBeaconImage(payload, version: 840)

    private static func bench(
        _ faults: [Fault] = [], _ change: (inout FBeaconDescription) -> Void = { _ in }
    ) throws -> FBeaconBench {
        try FBeaconBench(all: faults) {
            $0.images = .known([FBeaconImage([1, 2, 3], version: 7), image])
            change(&$0)
        }
    }

    @Test func `is installed without its padding if it is known`() throws {
        var bench = try Self.bench()
        #expect(bench.heardVersion == 830)
        #expect(bench.update(Self.payload) == [0x06])
        #expect(bench.heardVersion == 830)
        bench.settle()
        #expect(bench.device.running == FBeaconFirmware(version: 840, payload: Self.payload))
        #expect(bench.heardVersion == 840)
        bench.connect()
        #expect(bench.ask("EnterDFU0").hasPrefix("OK,48038B021500"))
    }

    @Test(arguments: [
        Array(payload.dropLast()), payload + [0], payload + [0x1A, 0x1A], payload + [0x1A, 0, 1],
        Array(payload.prefix(4096)), payload + [0x1A] + [UInt8](repeating: 0, count: 2000), [1, 2], [0],
        [UInt8](repeating: 0, count: 5000), Array(payload.dropFirst(1024)),
    ])
    func `is refused if it is unknown`(payload: [UInt8]) throws {
        var bench = try Self.bench()
        bench.open()
        #expect(bench.send(payload) == true)
        #expect(bench.ask([0x04], within: .milliseconds(500)) == [0x18, 0x18, 0x18])
        bench.settle()
        #expect(bench.device.running?.version == 830 && bench.record.images == 0)
    }

    @Test func `is refused silently if EOT is acknowledged unchecked`() throws {
        var bench = try Self.bench { $0.transfer.acknowledgesUnchecked = true }
        #expect(bench.update(FBeaconPackets.bytes(900)) == [0x06])
        bench.settle()
        #expect(bench.device.running?.version == 830 && bench.record.images == 0)
        #expect(bench.update(Self.payload) == [0x06])
        bench.settle()
        #expect(bench.device.running?.version == 840)
    }

    @Test func `comes without its preamble on request`() throws {
        var bench = try Self.bench {
            $0.transfer.opening = .skippingPreamble
            $0.images = .known([FBeaconImage(Array(Self.payload.dropFirst(1024)), version: 840)])
        }
        #expect(bench.update(Array(Self.payload.dropFirst(1024))) == [0x06])
        bench.settle()
        #expect(bench.device.running?.version == 840)
    }

    @Test(arguments: [nil, 0, 1] as [UInt8?], [0, 1])
    func `restores the settings if the digit requests it`(restoring: UInt8?, digit: Int) throws {
        for overwrites in [false, true] {
            for stays in [false, true] {
                var bench = try Self.bench {
                    $0.entry.restoringDigit = restoring
                    $0.entry.staysConnected = stays
                    $0.transfer.overwrites = overwrites
                }
                bench.connect()
                _ = bench.ask("$OpenFscAtEngine$")
                #expect(bench.ask("AT+NAME=Mine\r\n") == "OK\r\n")
                bench.disconnect()
                bench.open(digit: digit)
                if !stays {
                    bench.disconnect()
                    bench.connect()
                    bench.pass(for: .milliseconds(10))
                }
                #expect(bench.send(Self.payload) == true)
                #expect(bench.ask([0x04]) == [0x06])
                bench.settle()
                #expect(bench.device.running?.version == 840)
                bench.connect()
                _ = bench.ask("$OpenFscAtEngine$")
                let name = restoring.map { Int($0) } == digit ? "FSC_BP" : "Mine"
                #expect(bench.ask("AT+NAME\r\n") == "+NAME=\(name)\r\nOK\r\n")
            }
        }
    }

    @Test func `takes flash its time`() throws {
        var bench = try Self.bench { $0.timing = .stock }
        bench.open()
        let packets = FBeaconPackets.packets(Self.payload)
        // The page of notes and the first page are erased, and 52 pieces are written.
        #expect(bench.ask(packets[0], within: .microseconds(231_199)) == [])
        #expect(bench.listen(for: .microseconds(1)) == [0x06])
        #expect(bench.ask(packets[1], within: .microseconds(57_199)) == [])
        #expect(bench.listen(for: .microseconds(1)) == [0x06])
        for packet in packets.dropFirst(2) { #expect(bench.ask(packet, within: .seconds(1)) == [0x06]) }
        #expect(bench.ask([0x04]) == [0x06])
        let ended = bench.heard.last?.at ?? .zero
        bench.pass(for: .seconds(2))
        // A second until it restarts, half a second to start, and three pages to copy.
        #expect(bench.programStart == ended + .milliseconds(1500) + .milliseconds(129) * 3)
    }

    @Test(arguments: [false, true]) func `leaves the old one or only the bootloader after a power loss`(
        overwrites: Bool
    ) throws {
        for packet in 1...5 {
            var bench = try Self.bench([.fbeacon(.powerLossInPacket(packet))]) {
                $0.transfer.overwrites = overwrites
            }
            #expect(bench.update(Self.payload) == [])
            #expect((bench.device.running == nil) == (overwrites && packet > 1))
            // The bootloader reports the earlier version, so that a client that compares it continues.
            #expect(bench.heardVersion == 830)
            #expect(bench.update(Self.payload) == [0x06])
            bench.settle()
            #expect(bench.device.running?.version == 840)
        }
    }

    @Test func `is not installed when flash has lost a part of it`() throws {
        for write in 1...5 {
            var bench = try FBeaconBench(all: [.loseFlashWrite(write)])
            bench.open()
            #expect(bench.send(Self.payload) == true)
            #expect(bench.ask([0x04], within: .milliseconds(500)) == [0x18, 0x18, 0x18])
            bench.settle()
            #expect(bench.device.running?.version == 830)
        }
        // The sixth is the note of what has arrived.
        var bench = try FBeaconBench(all: [.loseFlashWrite(6)])
        #expect(bench.update(Self.payload) == [0x06])
        bench.settle()
        #expect(bench.device.running?.version == 830)
    }

    @Test func `can remain uninstalled after its arrival`() throws {
        var bench = try Self.bench([.fbeacon(.keepOldApplication)])
        #expect(bench.update(Self.payload) == [0x06])
        bench.settle()
        #expect(bench.device.running?.version == 830 && bench.heardVersion == 830)
    }

    @Test func `is kept in the saved state when the program ends`() throws {
        var bench = try Self.bench()
        #expect(bench.update(Self.payload) == [0x06])
        let settled = bench.device.settled(at: bench.now, before: nil)
        let bytes = settled.flash.content(0..<settled.description.flashSize)
        let next = try FBeaconBench(all: [], retained: bytes)
        #expect(next.device.running == FBeaconFirmware(version: 840, payload: Self.payload))
        for filler in [0xFF, 0] as [UInt8] {
            let damaged = [UInt8](repeating: filler, count: bytes.count)
            let empty = try FBeaconBench(all: [], retained: damaged)
            #expect(empty.device.running == nil && empty.heardVersion == 0)
        }
    }
}
