import Bluetooth
import TestSupport
import Testing

@testable import BlueZ

@Suite struct `A link of a host` {
    static func bench(_ change: (inout ImitatedController) -> Void = { _ in }) -> HostBench {
        var controller = ImitatedController()
        change(&controller)
        return HostBench(controller)
    }

    static func received(_ bench: HostBench, over link: UInt64) -> [[UInt8]] {
        bench.events.compactMap { if case .received(link, let packet) = $0 { packet } else { nil } }
    }

    @Test(arguments: [(27, 10), (251, 1)] as [(UInt16, Int)])
    func `sends a packet in parts of the controller's buffers`(_ length: UInt16, _ parts: Int) throws {
        var bench = Self.bench {
            $0.bufferLength = length
            $0.buffers = 16
        }
        let (link, handle) = try bench.connect(HostBench.peer(1))
        let packet = [UInt8]((0..<247).map { UInt8($0) })
        #expect(bench.host.send(packet, over: link, at: bench.now) == .queued)
        bench.settle()
        let data = bench.controller.data
        #expect(data.count == parts)
        #expect(data.map(\.first) == [true] + [Bool](repeating: false, count: parts - 1))
        #expect(data.allSatisfy { $0.handle == handle })
        #expect(data.flatMap(\.bytes) == [247, 0, 4, 0] + packet)
    }

    @Test(arguments: [1, 3, 4, 5, 27, 251]) func `joins a packet from parts of any length`(_ length: Int)
        throws
    {
        var bench = Self.bench()
        let (link, handle) = try bench.connect(HostBench.peer(1))
        let packets = [[0x1B, 3, 0], [UInt8](repeating: 7, count: 244), [], [1]] as [[UInt8]]
        for packet in packets {
            bench.hear(ImitatedController.packet(packet, of: handle, inPartsOf: length))
        }
        #expect(Self.received(bench, over: link) == packets)
    }

    @Test func `has at most as many packets as the controller has buffers`() throws {
        var bench = Self.bench { $0.buffers = 3 }
        let (link, handle) = try bench.connect(HostBench.peer(1))
        #expect(bench.host.send([UInt8](repeating: 1, count: 244), over: link, at: bench.now) == .queued)
        bench.settle()
        for _ in 0..<4 {
            #expect(bench.controller.links[handle]?.inFlight ?? 0 <= 3)
            bench.hear(bench.controller.acknowledge(handle))
        }
        #expect(bench.controller.data.flatMap(\.bytes).count == 248)
        #expect(bench.controller.complaints == [])
    }

    @Test func `takes four packets before they are with the controller, and says when it takes more`() throws
    {
        var bench = Self.bench { $0.buffers = 1 }
        let (link, handle) = try bench.connect(HostBench.peer(1))
        // One is with the controller.
        for _ in 0..<5 { #expect(bench.host.send([1, 2, 3], over: link, at: bench.now) == .queued) }
        #expect(bench.host.send([1, 2, 3], over: link, at: bench.now) == .noRoom)
        bench.settle()
        let before = bench.events.count
        bench.hear(bench.controller.acknowledge(handle))
        #expect(bench.events.dropFirst(before) == [.room(link)])
        #expect(bench.host.send([1, 2, 3], over: link, at: bench.now) == .queued)
    }

    @Test func `shares the buffers with the others that have something to send`() throws {
        var bench = Self.bench { $0.buffers = 4 }
        let first = try bench.connect(HostBench.peer(1))
        let second = try bench.connect(HostBench.peer(2))
        let packet = [UInt8](repeating: 1, count: 244)
        for _ in 0..<3 { _ = bench.host.send(packet, over: first.link, at: bench.now) }
        bench.settle()
        #expect(bench.controller.links[first.handle]?.inFlight == 4)
        for _ in 0..<3 { _ = bench.host.send(packet, over: second.link, at: bench.now) }
        bench.hear(bench.controller.acknowledge(first.handle))
        #expect(bench.controller.links[first.handle]?.inFlight == 2)
        #expect(bench.controller.links[second.handle]?.inFlight == 2)
        for _ in 0..<40 {
            bench.hear(bench.controller.acknowledge(first.handle))
            bench.hear(bench.controller.acknowledge(second.handle))
        }
        #expect(bench.controller.data.flatMap(\.bytes).count == 6 * 248)
        #expect(bench.controller.complaints == [])
    }

    @Test func `leaves its buffers to the others when it is lost`() throws {
        var bench = Self.bench { $0.buffers = 4 }
        let first = try bench.connect(HostBench.peer(1))
        let second = try bench.connect(HostBench.peer(2))
        for _ in 0..<3 {
            _ = bench.host.send([UInt8](repeating: 1, count: 244), over: first.link, at: bench.now)
        }
        bench.settle()
        #expect(bench.host.send([1], over: second.link, at: bench.now) == .queued)
        bench.settle()
        #expect(bench.controller.data.last?.handle == first.handle)
        bench.hear(bench.controller.lose(first.handle))
        #expect(bench.controller.data.last?.handle == second.handle)
        #expect(bench.events.contains(.closed(first.link, HCIStatus(rawValue: 0x08))))
        #expect(bench.host.send([1], over: first.link, at: bench.now) == .noLink)
    }

    /// Handle, length of the part, L2CAP length and channel, and what remains.
    static let hostile: [String] = [
        "02 41 20 0500 0100 0400 AA BB",  // longer than its part says
        "02 41 20 0600 0100 0400 AA BB",  // longer than L2CAP says
        "02 41 20 0400 0104 0400",  // 1025 bytes announced
        "02 41 20 0400 FFFF 0400",
        "02 41 10 0100 AA",  // continues nothing
        "02 41 20 0100",  // shorter than its part says
    ]

    @Test(arguments: hostile) func `is ended by a packet of a wrong length`(_ hex: String) throws {
        var bench = Self.bench()
        let (link, handle) = try bench.connect(HostBench.peer(1))
        try #require(handle == 0x41)
        bench.hear([[UInt8](hex: hex)])
        #expect(bench.events.last == .closed(link, HCIStatus(rawValue: 0x16)))
        #expect(Self.received(bench, over: link) == [])
    }

    @Test func `is ended by a packet that begins inside another one`() throws {
        var bench = Self.bench()
        let (link, handle) = try bench.connect(HostBench.peer(1))
        let parts = ImitatedController.packet([UInt8](repeating: 1, count: 50), of: handle)
        bench.hear([parts[0], parts[0]])
        #expect(bench.events.last == .closed(link, HCIStatus(rawValue: 0x16)))
    }

    /// Each request on the signalling channel, and the answer.
    static let signals: [(String, String)] = [
        // 15 to 30 ms, 4 s: accepted; 400 to 500 ms: not.
        ("12 07 0800 0C00 1800 0000 9001", "13 07 0200 0000"),
        ("12 08 0800 4001 9001 0000 9001", "13 08 0200 0100"),
        ("12 09 0800 1800 0C00 0000 9001", "13 09 0200 0100"),
        ("12 0A 0200 0C00", "01 0A 0200 0000"),
        ("14 01 0A00 8000 4000 1700 1700 0100", "15 01 0A00 0000 0000 0000 0000 0200"),
        ("17 01 0800 8000 4000 1700 0100", "01 01 0200 0000"),
        ("06 01 0400 4000 4100", "01 01 0200 0000"),
        ("FF 01 FFFF", "01 01 0200 0000"),
    ]

    @Test(arguments: signals.indices) func `answers requests on the signalling channel`(_ number: Int) throws
    {
        var bench = Self.bench()
        let (_, handle) = try bench.connect(HostBench.peer(1))
        let request = [UInt8](hex: Self.signals[number].0)
        bench.hear(ImitatedController.packet(request, on: 5, of: handle))
        let answer = [UInt8](hex: Self.signals[number].1)
        #expect(bench.controller.data.flatMap(\.bytes) == [UInt8(answer.count), 0, 5, 0] + answer)
    }

    @Test(arguments: ["01 01 0200 0000", "13 01 0200 0000", "15 01 0000", "16 01 0400 4000 0100", "12", ""])
    func `does not answer an answer`(_ hex: String) throws {
        var bench = Self.bench()
        let (_, handle) = try bench.connect(HostBench.peer(1))
        bench.hear(ImitatedController.packet([UInt8](hex: hex), on: 5, of: handle))
        #expect(bench.controller.data.isEmpty)
    }

    @Test(arguments: [("01 03 00 01 10 00 00", true), ("0B 01", true), ("05 05", false), ("", false)])
    func `refuses to pair`(_ hex: String, _ isAnswered: Bool) throws {
        var bench = Self.bench()
        let (_, handle) = try bench.connect(HostBench.peer(1))
        bench.hear(ImitatedController.packet([UInt8](hex: hex), on: 6, of: handle))
        #expect(bench.controller.data.flatMap(\.bytes) == (isAnswered ? [2, 0, 6, 0, 5, 5] : []))
    }

    /// A peer that keeps asking and acknowledges nothing must not fill memory.
    @Test func `keeps a bounded number of answers`() throws {
        var bench = Self.bench { $0.buffers = 1 }
        let (_, handle) = try bench.connect(HostBench.peer(1))
        for _ in 0..<1000 { bench.hear(ImitatedController.packet([0x0B, 1], on: 6, of: handle)) }
        for _ in 0..<100 { bench.hear(bench.controller.acknowledge(handle)) }
        #expect(bench.controller.data.count < 40)
    }

    @Test(
        arguments: [("0C00 1800 0000 9001", 0x2020), ("4001 9001 0000 9001", 0x2021)] as [(String, UInt16)])
    func `answers the controller about a peer's request for parameters`(_ hex: String, _ opcode: UInt16)
        throws
    {
        var bench = Self.bench()
        let (_, handle) = try bench.connect(HostBench.peer(1))
        bench.hear([ImitatedController.meta(0x06, Packet.word(handle) + [UInt8](hex: hex))])
        #expect(bench.controller.commands.last == opcode)
    }

    @Test func `gets long packets and LE 2M, one after the other, and then says so`() throws {
        var bench = Self.bench()
        let (link, _) = try bench.connect(HostBench.peer(1))
        #expect(bench.controller.commands.suffix(3) == [0x2016, 0x2022, 0x2032])
        #expect(bench.events.suffix(1) == [.tuned(link)])
        #expect(bench.host.parameters(of: link) == LinkParameters(interval: .milliseconds(15), phy: .le2M))
    }

    /// With extended commands a link begins on the PHY of the advertisement's data.
    @Test(
        arguments: [
            (1, .le2M, [0x2022, 0x2030, 0x2032]), (2, .le2M, [0x2016, 0x2022, 0x2030]),
            (3, .leCoded, [0x2016, 0x2022, 0x2030]),
        ] as [(UInt8, PHY, [UInt16])])
    func `gets LE 2M only if it began on LE 1M`(_ phy: UInt8, _ last: PHY, _ commands: [UInt16]) throws {
        var bench = Self.bench { $0.isExtended = true }
        let (link, _) = try bench.connect(HostBench.peer(1), on: phy)
        #expect(bench.controller.commands.suffix(3) == commands[...])
        #expect(bench.events.suffix(1) == [.tuned(link)])
        #expect(bench.host.parameters(of: link)?.phy == last)
    }

    @Test func `on a PHY that the controller does not tell is left on it`() throws {
        var bench = Self.bench {
            $0.isExtended = true
            $0.refusals = [0x2030: 0x02]
        }
        let (link, _) = try bench.connect(HostBench.peer(1), on: 3)
        #expect(!bench.controller.commands.contains(0x2032))
        #expect(bench.events.suffix(1) == [.tuned(link)])
    }

    @Test func `stays as it is where the controller refuses`() throws {
        var bench = Self.bench { $0.refusals = [0x2022: 0x01, 0x2032: 0x1A] }
        let (link, _) = try bench.connect(HostBench.peer(1))
        #expect(bench.events.suffix(1) == [.tuned(link)])
        #expect(bench.host.parameters(of: link)?.phy == .le1M)
    }

    @Test func `gets another interval on request`() throws {
        var bench = Self.bench()
        let (link, _) = try bench.connect(HostBench.peer(1))
        bench.host.retune(interval: .milliseconds(50), at: bench.now)
        bench.settle()
        #expect(bench.host.parameters(of: link)?.interval == .milliseconds(50))
    }

    @Test func `that the controller does not know is over when it is to be ended`() throws {
        var bench = Self.bench()
        let (link, _) = try bench.connect(HostBench.peer(1))
        bench.controller.refusals = [0x0406: 0x02]
        bench.host.close(link, at: bench.now)
        bench.settle()
        #expect(bench.events.last == .closed(link, HCIStatus(rawValue: 0x02)))
        #expect(bench.host.links.isEmpty)
    }

    @Test func `takes no packet while it is being ended`() throws {
        var bench = Self.bench { $0.mute = [0x0406] }
        let (link, _) = try bench.connect(HostBench.peer(1))
        bench.host.close(link, at: bench.now)
        bench.settle()
        #expect(bench.host.send([1], over: link, at: bench.now) == .noLink)
        bench.settle()
        #expect(bench.controller.data.isEmpty)
    }

    @Test func `of a lost controller is over`() throws {
        var bench = Self.bench()
        let (link, _) = try bench.connect(HostBench.peer(1))
        bench.host.fail("hci1 was removed", at: bench.now)
        bench.settle()
        #expect(
            bench.events.suffix(2) == [.closed(link, HCIStatus(rawValue: 0x03)), .failed("hci1 was removed")])
    }
}

@Suite struct `A packet of a controller` {
    static func everything() -> [[UInt8]] {
        var packets = [
            ImitatedController.event(0x0E, [1, 3, 0x20, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
            ImitatedController.event(0x0F, [0, 1, 0x0D, 0x20]),
            ImitatedController.event(0x05, [0, 0x41, 0, 8]),
            ImitatedController.event(0x10, [1]),
            ImitatedController.event(0x13, [2, 0x41, 0, 1, 0, 0x42, 0, 0xFF, 0xFF]),
            ImitatedController.meta(
                0x01, [0, 0x41, 0, 0, 1, 1, 0, 0xAC, 0xBE, 0x0D, 0xF0, 12, 0, 0, 0, 0x58, 2, 0]),
            ImitatedController.meta(0x02, [1, 0, 1, 1, 0, 0xAC, 0xBE, 0x0D, 0xF0, 3, 2, 1, 6, 0xC4]),
            ImitatedController.meta(0x03, [0, 0x41, 0, 6, 0, 0, 0, 0x58, 2]),
            ImitatedController.meta(0x04, [0, 0x41, 0, 0x20, 9, 0, 0, 0, 0, 0, 0]),
            ImitatedController.meta(0x06, [0x41, 0, 12, 0, 24, 0, 0, 0, 0x90, 1]),
            ImitatedController.meta(0x07, [0x41, 0, 251, 0, 0x48, 8, 251, 0, 0x48, 8]),
            ImitatedController.meta(0x0C, [0, 0x41, 0, 2, 2]),
            ImitatedController.extendedReport(
                [1, 1, 0, 0xAC, 0xBE, 0x0D, 0xF0], type: 0x20, data: [2, 1, 6]),
        ]
        packets += ImitatedController.packet([UInt8](repeating: 9, count: 40), of: 0x41)
        packets += ImitatedController.packet([0x12, 1, 8, 0, 12, 0, 24, 0, 0, 0, 0x90, 1], on: 5, of: 0x41)
        return packets + ImitatedController.packet([1, 2, 3], on: 6, of: 0x41)
    }

    /// It may mean something else, but must not trap, in whatever state the host is.
    @Test(arguments: everything().indices) func `that is cut short or flipped does no harm`(_ number: Int)
        throws
    {
        let packet = Self.everything()[number]
        let bad =
            Corruption.prefixes(of: packet) + Corruption.flips(of: packet).map(\.bytes) + [packet + [0, 1]]
        for isExtended in [false, true] {
            var controller = ImitatedController()
            controller.isExtended = isExtended
            let starting = HostBench(controller, starting: false)
            var waiting = HostBench(controller)
            _ = waiting.open(HostBench.peer(2))
            waiting.host.listen(true, at: waiting.now)
            waiting.settle()
            var linked = waiting
            _ = try linked.connect(HostBench.peer(1))
            for bytes in bad {
                for state in [starting, waiting, linked] {
                    var bench = state
                    bench.host.receive(bytes, at: bench.now)
                    bench.host.receive(packet, at: bench.now)
                    bench.host.advance(to: bench.now + .seconds(10))
                    _ = bench.host.output()
                }
            }
        }
    }

    @Test func `at random does no harm`() throws {
        var numbers = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var bench = HostBench()
            _ = bench.open(HostBench.peer(2))
            _ = try bench.connect(HostBench.peer(1))
            for _ in 0..<30 {
                var packet = Self.everything().randomElement(using: &numbers) ?? []
                for _ in 0..<Int.random(in: 0...2, using: &numbers) where !packet.isEmpty {
                    packet[Int.random(in: 0..<packet.count, using: &numbers)] = UInt8.random(
                        in: 0...255, using: &numbers)
                }
                bench.now += .milliseconds(Int.random(in: 0...700, using: &numbers))
                bench.host.receive(packet, at: bench.now)
                bench.settle()
            }
        }
    }
}
