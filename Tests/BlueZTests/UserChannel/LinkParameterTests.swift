import Bluetooth
import Bytes
import TestSupport
import Testing

@testable import BlueZ

@Suite struct `The parameters of a host's link` {
    private static let peer = HostBench.peer(1)

    /// A link whose changes end when the controller says so.
    private static func linked(
        asking linkRequest: LinkRequest = LinkRequest()
    ) throws -> (bench: HostBench, link: UInt64, handle: UInt16) {
        var bench = HostBench()
        let ticket = bench.host.open(peer, asking: linkRequest, by: .seconds(30), at: bench.now)
        bench.settle()
        bench.advertise(peer)
        bench.controller.delaysUpdates = true
        return (
            bench, try #require(bench.link(ticket)), try #require(bench.controller.handle(of: peer))
        )
    }

    /// The peer requests an interval between these, in steps of 1.25 ms, and 4 s.
    private static func wish(_ handle: UInt16, _ shortest: UInt16, _ longest: UInt16) -> [UInt8] {
        ImitatedController.meta(
            0x06,
            Packet.word(handle) + Packet.word(shortest) + Packet.word(longest) + [0, 0] + Packet.word(400))
    }

    /// The link has this interval now.
    private static func updated(_ handle: UInt16, _ interval: UInt16) -> [UInt8] {
        ImitatedController.meta(
            0x03, [0] + Packet.word(handle) + Packet.word(interval) + [0, 0] + Packet.word(600))
    }

    /// The intervals of all commands with this opcode.
    private static func intervals(of opcode: UInt16, _ bench: HostBench) -> [UInt8] {
        bench.controller.packets.filter { Array($0[1...2]) == Packet.word(opcode) }.map { $0[6] }
    }

    private static func ends(_ bench: HostBench, of link: UInt64) -> Int {
        bench.events.count { $0 == .tuned(link) }
    }

    @Test func `stay as a user has chosen them`() throws {
        var linkRequest = LinkRequest()
        linkRequest.choose(.milliseconds(50))
        var (bench, link, _) = try Self.linked(asking: linkRequest)
        #expect(bench.host.parameters(of: link)?.interval == .milliseconds(50))
        bench.host.retune(interval: .milliseconds(15), at: bench.now)
        bench.settle()
        #expect(Self.intervals(of: 0x2013, bench) == [40])
    }

    @Test(arguments: [false, true]) func `are granted beside those that were requested last`(_ isSignal: Bool)
        throws
    {
        var (bench, _, handle) = try Self.linked()
        bench.host.retune(interval: .milliseconds(50), at: bench.now)
        bench.settle()
        bench.hear(bench.controller.endUpdates())
        if isSignal {
            let wish = [UInt8](hex: "12 07 0800 0C00 5000 0000 9001")
            bench.hear(ImitatedController.packet(wish, on: 5, of: handle))
        } else {
            bench.hear([Self.wish(handle, 12, 80)])
        }
        #expect(Self.intervals(of: isSignal ? 0x2013 : 0x2020, bench).last == 40)
    }

    @Test func `that a peer was granted are asked for once more, until that has ended`() throws {
        var (bench, link, handle) = try Self.linked()
        for _ in 0..<2 {
            bench.hear([Self.wish(handle, 24, 40), Self.updated(handle, 24)])
            #expect(Self.intervals(of: 0x2013, bench) == [12])
        }
        #expect(Self.ends(bench, of: link) == 1)
        bench.hear(bench.controller.endUpdates())
        #expect(Self.ends(bench, of: link) == 2)
        #expect(bench.host.parameters(of: link)?.interval == .milliseconds(15))
    }

    @Test func `that a peer was granted do not end a change of ours`() throws {
        var (bench, link, handle) = try Self.linked()
        bench.host.retune(interval: .milliseconds(50), at: bench.now)
        bench.settle()
        bench.hear([Self.wish(handle, 12, 24), Self.updated(handle, 24)])
        #expect(bench.host.parameters(of: link)?.interval == .milliseconds(30))
        #expect(Self.ends(bench, of: link) == 1)
        bench.hear(bench.controller.endUpdates())
        #expect(Self.ends(bench, of: link) == 2)
        #expect(Self.intervals(of: 0x2013, bench) == [40])
    }

    @Test func `change once, to the last ones, if they are requested while a change is under way`() throws {
        var (bench, link, handle) = try Self.linked()
        for interval in [50, 40, 30, 20] {
            bench.host.retune(interval: .milliseconds(interval), at: bench.now)
        }
        bench.settle()
        bench.hear(bench.controller.endUpdates())
        bench.hear(bench.controller.endUpdates())
        #expect(Self.intervals(of: 0x2013, bench) == [40, 16])
        #expect(bench.host.parameters(of: link)?.interval == .milliseconds(20))
        // A change of ours is none that the peer has requested.
        bench.hear([Self.wish(handle, 24, 40), Self.updated(handle, 24)])
        #expect(Self.intervals(of: 0x2013, bench) == [40, 16, 16])
    }

    @Test func `change back if that is requested while a change is under way`() throws {
        var (bench, link, _) = try Self.linked()
        for interval in [50, 15] { bench.host.retune(interval: .milliseconds(interval), at: bench.now) }
        bench.settle()
        bench.hear(bench.controller.endUpdates())
        bench.hear(bench.controller.endUpdates())
        #expect(bench.host.parameters(of: link)?.interval == .milliseconds(15))
        #expect(Self.intervals(of: 0x2013, bench) == [40, 12])
    }

    /// The controller waits for all with the longest supervision timeout.
    @Test(arguments: [false, true]) func `have the requested supervision timeout`(_ isExtended: Bool) throws {
        var controller = ImitatedController()
        controller.isExtended = isExtended
        var bench = HostBench(controller)
        var chosen = LinkRequest()
        chosen.choose(.seconds(2))
        _ = bench.host.open(HostBench.peer(2), asking: chosen, by: .seconds(30), at: bench.now)
        let (_, handle) = try bench.connect(Self.peer)
        #expect(bench.host.table.links[handle]?.supervisionTimeout == .seconds(6))
        #expect(Self.intervals(of: 0x2013, bench) == [12])
    }
}
