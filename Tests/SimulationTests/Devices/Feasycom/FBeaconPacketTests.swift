import Simulation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A packet of an FBeacon update` {
    private static let data = FBeaconPackets.bytes(1024)

    private static func open(
        _ opening: FBeaconTransfer.Opening = .whole, mtu: Int = 247, _ faults: [FBeaconFault] = []
    ) throws -> FBeaconBench {
        var bench = try FBeaconBench(faults) { $0.transfer.opening = opening }
        bench.open(mtu: mtu)
        #expect(bench.heard.last?.value == [opening.rawValue])
        return bench
    }

    @Test func `has the documented bytes`() throws {
        let first = FBeaconPackets.packet(1, Self.data)
        #expect(first.count == 1029 && first.starts(with: [0x02, 0x01, 0xFE]))
        #expect(first.suffix(2) == [0xC2, 0xE0])
        let last = FBeaconPackets.packet(2, Array("hello".utf8))
        #expect(last.starts(with: [0x02, 0x02, 0xFD, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x1A, 0x00]))
        #expect(last.suffix(2) == [0xCE, 0x40])
        #expect(FBeaconPackets.packet(1, Self.data, sum: true).suffix(1) == [0x00])
        var bench = try Self.open()
        #expect(bench.ask(first) == [0x06])
        #expect(bench.ask(last) == [0x06])
        #expect(bench.ask([0x04]) == [0x06])
        bench.settle()
        let payload = bench.device.running?.payload
        #expect(payload == Self.data + Array("hello".utf8) + [0x1A] + [UInt8](repeating: 0, count: 1018))
        #expect(bench.errors == [])
    }

    @Test(arguments: [23, 100, 185, 247], FBeaconTransfer.Opening.allCases)
    func `comes in pieces of any size`(mtu: Int, opening: FBeaconTransfer.Opening) throws {
        var bench = try Self.open(opening, mtu: mtu)
        #expect(bench.send(FBeaconPackets.bytes(4000), sum: opening == .sum) == true)
        #expect(bench.ask([0x04]) == [0x06])
        #expect(bench.record.blocks == 4 && bench.record.packets == 4 && bench.record.polls == 1)
        #expect(bench.errors == [])
        bench.settle()
        #expect(bench.device.running?.version == 831)
        #expect(bench.heardVersion == 831)
    }

    /// Including pieces that split the sum: of 1028 bytes in pieces of 13 the last is whole, of 1029 it is one byte.
    @Test(arguments: 1...300) func `comes in pieces that end anywhere`(size: Int) throws {
        var bench = try Self.open()
        let packet = FBeaconPackets.packet(1, Self.data)
        for start in stride(from: 0, to: packet.count, by: min(size, 244)) {
            bench.request([0x52, 14, 0] + packet[start..<min(start + min(size, 244), packet.count)])
        }
        bench.pass(for: .milliseconds(1))
        #expect(bench.heard.last?.value == [0x06])
        #expect(bench.record.blocks == 1)
    }

    @Test(arguments: FBeaconTransfer.Opening.allCases)
    func `is never accepted with a flipped byte`(opening: FBeaconTransfer.Opening) throws {
        let ready = try Self.open(opening)
        for (index, packet) in Corruption.flips(
            of: FBeaconPackets.packet(1, Self.data, sum: opening == .sum))
        {
            var bench = ready
            let answer = bench.ask(packet)
            // Bytes that do not begin like a packet are ignored: the packet is requested with the opening byte again.
            #expect(answer == (index == 0 ? [] : [0x15]), "byte \(index)")
            #expect(bench.record.blocks == 0 && bench.errors.count >= 1)
            guard index % 100 == 0 else { continue }
            #expect(bench.send(Self.data, sum: opening == .sum) == true)
        }
    }

    @Test func `is never accepted when a part is missing, but requested again`() throws {
        let ready = try Self.open()
        for prefix in Corruption.prefixes(of: FBeaconPackets.packet(1, Self.data)).dropFirst() {
            var bench = ready
            #expect(bench.ask(prefix, within: .milliseconds(499)) == [])
            #expect(bench.listen(for: .milliseconds(1)) == [0x15])
            #expect(bench.record.blocks == 0 && bench.errors == [])
            guard prefix.count % 100 == 0 else { continue }
            #expect(bench.send(Self.data) == true)
        }
    }

    @Test func `may lack any piece`() throws {
        var ready = try Self.open()
        #expect(ready.ask(FBeaconPackets.packet(1, Self.data)) == [0x06])
        let packet = FBeaconPackets.packet(2, [UInt8](repeating: 0x04, count: 1024))
        for lost in 0..<5 {
            var bench = ready
            for piece in 0..<5 where piece != lost {
                bench.write(Array(packet.dropFirst(piece * 244).prefix(244)))
            }
            #expect(bench.listen(for: .milliseconds(501)) == [0x15])
            #expect(bench.record.blocks == 1 && bench.record.ends == 0)
            #expect(bench.ask(packet) == [0x06])
        }
    }

    /// Its last piece is the one byte of the sum, which looks like EOT without the beginning.
    @Test func `does not end the transfer by a remaining part`() throws {
        var bench = try Self.open(.sum)
        #expect(bench.send(Self.data, sum: true) == true)
        let packet = FBeaconPackets.packet(2, [4] + [UInt8](repeating: 0, count: 1023), sum: true)
        for start in stride(from: 79, to: packet.count, by: 79) {
            bench.write(Array(packet[start..<min(start + 79, packet.count)]))
        }
        #expect(bench.listen(for: .milliseconds(501)) == [0x15])
        #expect(bench.record.ends == 0)
        #expect(bench.ask(packet) == [0x06])
    }

    @Test(arguments: [0x02, 0x04, 0x18] as [UInt8]) func `is ignored without its first piece`(
        byte: UInt8
    ) throws {
        var bench = try Self.open()
        #expect(bench.send(Self.data) == true)
        let packet = FBeaconPackets.packet(2, [UInt8](repeating: byte, count: 1024))
        bench.write(Array(packet.dropFirst(244)))
        #expect(bench.listen(for: .milliseconds(501)) == [0x15])
        #expect(bench.record.clientCancellations == 0)
        #expect(bench.ask(packet) == [0x06])
    }

    @Test func `is acknowledged again when it is repeated, and written once`() throws {
        var bench = try Self.open()
        let packets = FBeaconPackets.packets(FBeaconPackets.bytes(3072))
        for packet in packets {
            #expect(bench.ask(packet) == [0x06])
            #expect(bench.ask(packet) == [0x06])
        }
        #expect(bench.record.blocks == 3 && bench.record.repeats == 3 && bench.errors == [])
        #expect(bench.ask(FBeaconPackets.packet(3, [1, 2, 3])) == [0x06])
        #expect(bench.errors == [.changedRepeat])
        #expect(bench.ask([0x04]) == [0x06])
        bench.settle()
        #expect(bench.device.running?.payload == FBeaconPackets.bytes(3072))
    }

    @Test func `has a number that wraps`() throws {
        var bench = try FBeaconBench { $0.maximumImageSize = 600 * 1024 }
        bench.open()
        let payload = (0..<300).flatMap { [UInt8](repeating: UInt8($0 & 0xFF), count: 1024) }
        #expect(bench.send(payload) == true)
        #expect(bench.ask([0x04]) == [0x06])
        bench.settle()
        #expect(bench.device.running?.payload == payload)
        #expect(bench.errors == [])
    }

    @Test(arguments: [0, 2, 255, 128]) func `has the next number or the last one`(number: Int) throws {
        var bench = try Self.open()
        if number == 128 { #expect(bench.send(FBeaconPackets.bytes(3072)) == true) }
        let packet = FBeaconPackets.packet(number, Self.data)
        #expect(bench.ask(packet, within: .seconds(1)) == [0x18, 0x18, 0x18])
        #expect(bench.errors == [.wrongNumber])
        bench.settle()
        #expect(bench.device.running?.version == 830 && bench.record.cancellations == 1)
    }

    @Test func `is awaited again`() throws {
        var bench = try Self.open()
        #expect(bench.ask(FBeaconPackets.packet(1, Self.data)) == [0x06])
        #expect(bench.listen(for: .seconds(24)) == [UInt8](repeating: 0x15, count: 8))
        #expect(bench.ask(FBeaconPackets.packet(2, Self.data)) == [0x06])
        #expect(bench.listen(for: .milliseconds(26_900)) == [UInt8](repeating: 0x15, count: 8))
        #expect(bench.isLinked)
        bench.pass(for: .milliseconds(101))
        #expect(!bench.isLinked && bench.record.givenUp == 1)
        bench.settle()
        #expect(bench.device.running?.version == 830)
    }

    @Test func `ends the write`() throws {
        var bench = try Self.open()
        let packet = FBeaconPackets.packet(1, Self.data)
        for start in stride(from: 0, to: 976, by: 244) { bench.write(Array(packet[start..<start + 244])) }
        #expect(bench.ask(Array(packet[976...]) + [0x04]) == [0x06])
        #expect(bench.errors == [.surplusBytes])
        #expect(bench.record.ends == 0)
    }

    /// A module that answers only after its flash is done must not be overtaken.
    @Test func `follows the previous answer, or one second`() throws {
        var bench = try FBeaconBench { $0.timing = .stock }
        bench.open()
        bench.write(FBeaconPackets.packet(1, Self.data))
        bench.write(FBeaconPackets.packet(2, Self.data))
        #expect(bench.errors == [.packetBeforeAnswer])
        var late = try Self.open(.whole, [.delayAnswer(1, by: .milliseconds(1500))])
        let packet = FBeaconPackets.packet(1, Self.data)
        #expect(late.ask(packet, within: .seconds(1)) == [])
        #expect(late.ask(packet, within: .milliseconds(499)) == [0x06])
        #expect(late.listen(for: .milliseconds(100)) == [0x06])
        #expect(late.errors == [])
    }
}
