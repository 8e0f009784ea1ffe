import Bluetooth
import TestSupport
import Testing

@testable import BlueZ

@Suite struct `Connecting with the accept list` {
    private static let eight = (1...8).map { HostBench.peer($0) }

    static func bench(_ change: (inout ImitatedController) -> Void = { _ in }) -> HostBench {
        var controller = ImitatedController()
        change(&controller)
        return HostBench(controller)
    }

    @Test(arguments: [false, true]) func `serves eight who wait in the order in which they advertise`(
        _ isExtended: Bool
    ) {
        var bench = Self.bench { $0.isExtended = isExtended }
        let tickets = Dictionary(uniqueKeysWithValues: Self.eight.map { ($0, bench.open($0)) })
        #expect(bench.controller.list.count == 8)
        let order = [5, 2, 7, 0, 6, 1, 3, 4].map { Self.eight[$0] }
        for peer in order { bench.advertise(peer) }
        let opened = bench.events.compactMap { if case .opened(let ticket, _) = $0 { ticket } else { nil } }
        #expect(opened == order.compactMap { tickets[$0] })
        #expect(bench.controller.links.count == 8)
        #expect(!bench.controller.isWaiting)
        #expect(bench.controller.complaints == [])
    }

    @Test func `makes a link that nobody waits for any more end`() throws {
        var bench = Self.bench()
        let ticket = bench.open(HostBench.peer(1))
        bench.isHeld = true
        bench.host.cancel(ticket, at: bench.now)
        bench.settle()
        // The cancellation is on its way while the peer advertises.
        bench.hear(bench.controller.advertise(HostBench.peer(1)))
        bench.isHeld = false
        bench.settle()
        #expect(bench.link(ticket) == nil)
        #expect(bench.controller.links.isEmpty)
        #expect(!bench.controller.isWaiting)
        // Neither blocks the next one.
        _ = try bench.connect(HostBench.peer(1))
    }

    @Test func `uses a link that comes while the list is changed`() throws {
        var bench = Self.bench()
        let first = bench.open(HostBench.peer(1))
        bench.isHeld = true
        let second = bench.open(HostBench.peer(2))
        bench.hear(bench.controller.advertise(HostBench.peer(1)))
        bench.isHeld = false
        bench.settle()
        #expect(bench.link(first) != nil)
        bench.advertise(HostBench.peer(2))
        #expect(bench.link(second) != nil)
    }

    @Test func `ends the procedure when nobody waits`() {
        var bench = Self.bench()
        let ticket = bench.open(HostBench.peer(1))
        #expect(bench.controller.isWaiting)
        bench.host.cancel(ticket, at: bench.now)
        bench.settle()
        #expect(!bench.controller.isWaiting)
        #expect(bench.controller.commands.suffix(1) == [0x200E])
        #expect(bench.host.deadline == nil)
    }

    @Test func `cancels again, and nothing else, while the end of a procedure is not reported`() {
        var bench = Self.bench()
        let ticket = bench.open(HostBench.peer(1))
        bench.controller.delaysEnds = true
        bench.host.cancel(ticket, at: bench.now)
        let next = bench.open(HostBench.peer(2))
        bench.pass(AcceptListConnector.endLimit * 2)
        #expect(bench.controller.commands.suffix(4) == [0x200D, 0x200E, 0x200E, 0x200E])
        bench.hear(bench.controller.endWaiting())
        #expect(bench.controller.isWaiting)
        bench.advertise(HostBench.peer(2))
        #expect(bench.link(next) != nil)
    }

    /// The controller refuses to cancel, but still waits for the peers on its list.
    @Test func `cancels what a controller still does that refuses to begin`() {
        var bench = Self.bench()
        let ticket = bench.open(HostBench.peer(1))
        bench.controller.refusals = [0x200E: 0x0C]
        bench.host.cancel(ticket, at: bench.now)
        bench.settle()
        bench.controller.refusals = [:]
        let next = bench.open(HostBench.peer(2))
        bench.pass(.seconds(1))
        #expect(bench.controller.list == [HostBench.peer(2).hciBytes])
        #expect(bench.host.connector.size == 16)
        bench.advertise(HostBench.peer(2))
        #expect(bench.link(next) != nil)
    }

    @Test(arguments: [(0x07, 1), (0x0C, 16), (0x12, 16)] as [(UInt8, Int)])
    func `takes the list for smaller only if it is full`(_ status: UInt8, _ size: Int) {
        var bench = Self.bench()
        bench.controller.refusals = [0x2011: status]
        let ticket = bench.open(HostBench.peer(1))
        #expect(bench.host.connector.size == size)
        bench.controller.refusals = [:]
        bench.pass(.seconds(1))
        bench.advertise(HostBench.peer(1))
        #expect(bench.link(ticket) != nil)
    }

    @Test(arguments: [0x09, 0x0D] as [UInt8]) func `tells all who wait that the controller is full`(
        _ status: UInt8
    ) {
        var bench = Self.bench { $0.refusals = [0x200D: status] }
        let ticket = bench.open(HostBench.peer(1))
        #expect(bench.events.last == .refused(ticket: ticket, .tooManyLinks(adapter: "hci1")))
    }

    @Test func `tells all who wait that the controller is full when it says so later`() throws {
        var bench = Self.bench { $0.mostLinks = 2 }
        let tickets = (1...4).map { bench.open(HostBench.peer($0)) }
        for number in 1...2 { bench.advertise(HostBench.peer(UInt8(number))) }
        #expect(bench.link(tickets[0]) != nil && bench.link(tickets[1]) != nil)
        #expect(bench.events.contains(.refused(ticket: tickets[2], .tooManyLinks(adapter: "hci1"))))
        #expect(bench.events.contains(.refused(ticket: tickets[3], .tooManyLinks(adapter: "hci1"))))
        // With a free link it connects again.
        guard let link = bench.link(tickets[0]) else { return }
        bench.host.close(link, at: bench.now)
        bench.settle()
        bench.pass(.seconds(1))
        _ = try bench.connect(HostBench.peer(3))
    }

    @Test func `gives everybody turns on a list that is too small`() {
        var bench = Self.bench { $0.listSize = 3 }
        let peers = Self.eight
        let tickets = peers.map { bench.open($0, within: .seconds(60)) }
        var listed: Set<[UInt8]> = []
        for _ in 0..<3 {
            listed.formUnion(bench.controller.list)
            #expect(bench.controller.list.count == 3)
            bench.pass(AcceptListConnector.turn)
        }
        #expect(listed.count == 8)
        // All of them are served at last.
        for _ in 0..<12 {
            for peer in peers where bench.controller.handle(of: peer) == nil { bench.advertise(peer) }
            bench.pass(.seconds(1))
        }
        #expect(tickets.allSatisfy { bench.link($0) != nil })
        #expect(bench.controller.complaints == [])
    }

    @Test func `has the highest priority on a list that is too small, then the earliest deadline`() {
        var bench = Self.bench { $0.listSize = 1 }
        let (late, early, urgent) = (HostBench.peer(1), HostBench.peer(2), HostBench.peer(3))
        _ = bench.open(late, within: .seconds(30))
        _ = bench.open(early, within: .seconds(10))
        bench.advertise(late)
        #expect(bench.controller.handle(of: late) == nil)
        _ = bench.open(urgent, priority: 1, within: .seconds(60))
        bench.advertise(early)
        #expect(bench.controller.handle(of: early) == nil)
        bench.advertise(urgent)
        #expect(bench.controller.handle(of: urgent) != nil)
        bench.advertise(early)
        #expect(bench.controller.handle(of: early) != nil)
    }

    @Test func `finds out that the list is smaller than the controller says`() {
        var bench = Self.bench()
        bench.controller.listSize = 2
        let tickets = (1...4).map { bench.open(HostBench.peer($0), within: .seconds(60)) }
        for _ in 0..<20 {
            for number in 1...4 where bench.controller.handle(of: HostBench.peer(UInt8(number))) == nil {
                bench.advertise(HostBench.peer(UInt8(number)))
            }
            bench.pass(.seconds(1))
        }
        #expect(tickets.allSatisfy { bench.link($0) != nil })
    }

    @Test func `waits with a second link to the same peer until the first has ended`() throws {
        var bench = Self.bench()
        let (link, _) = try bench.connect(HostBench.peer(1))
        let ticket = bench.open(HostBench.peer(1))
        #expect(!bench.controller.isWaiting)
        bench.host.close(link, at: bench.now)
        bench.settle()
        bench.advertise(HostBench.peer(1))
        #expect(bench.link(ticket) != nil)
    }

    /// The peer has not heard us, and advertises again (Connection Failed to be Established).
    @Test func `continues to wait for a peer whose link is lost at once`() throws {
        var bench = Self.bench { $0.peersAnswer = false }
        let ticket = bench.open(HostBench.peer(1))
        bench.advertise(HostBench.peer(1))
        #expect(bench.link(ticket) == nil)
        let handle = try #require(bench.controller.handle(of: HostBench.peer(1)))
        bench.hear(bench.controller.lose(handle, 0x3E))
        bench.controller.peersAnswer = true
        bench.advertise(HostBench.peer(1))
        #expect(bench.link(ticket) != nil)
    }

    @Test func `ends a link that is being made when it is cancelled`() {
        var bench = Self.bench { $0.peersAnswer = false }
        let ticket = bench.open(HostBench.peer(1))
        bench.advertise(HostBench.peer(1))
        bench.host.cancel(ticket, at: bench.now)
        bench.settle()
        #expect(bench.controller.links.isEmpty)
        #expect(bench.events == [.ready])
    }

    @Test func `listens on LE Coded only for peers that were heard there`() {
        var bench = Self.bench {
            $0.isExtended = true
        }
        bench.host.listen(true, at: bench.now)
        bench.settle()
        bench.advertise(HostBench.peer(1), on: 3)
        _ = bench.open(HostBench.peer(2))
        #expect(bench.controller.packets.last?.dropFirst(4 + 9).first == 0x01)
        _ = bench.open(HostBench.peer(1))
        #expect(bench.controller.packets.last?.dropFirst(4 + 9).first == 0x05)
        #expect(bench.controller.packets.last?[3] == 42)
    }

    /// Interval and window are 60 ms on one PHY. On two, each has its window in an interval of 120 ms.
    @Test(
        arguments: [(false, "01 6000 6000", "01 01 6000 6000"), (true, "05 C000 6000", "05 01 C000 6000")])
    func `leaves each PHY a window of 60 ms, in scans too`(_ coded: Bool, _ create: String, _ scan: String) {
        let link = HCICommand.createExtendedConnection(LinkSteps(LinkRequest()), ownType: 0, coded: coded)
        let listening = HCICommand.setExtendedScanParameters(ownType: 0, coded: coded)
        for (command, begin, offset, length) in [(link, create, 13, 16), (listening, scan, 6, 5)] {
            let phys = command.packet.dropFirst(offset)
            #expect(phys.starts(with: [UInt8](hex: begin)))
            #expect(phys.count == 1 + (coded ? 2 : 1) * length)
            #expect(phys.dropFirst().prefix(length) == phys.suffix(length))
        }
    }

    @Test func `uses the shortest requested interval, and sets the others afterwards`() throws {
        var bench = Self.bench()
        _ = bench.open(HostBench.peer(1), interval: .milliseconds(30))
        _ = bench.open(HostBench.peer(2), interval: .microseconds(7500))
        let create = try #require(bench.controller.packets.last)
        #expect(Array(create[17..<21]) == [6, 0, 6, 0])
        bench.advertise(HostBench.peer(1))
        // The imitated controller makes links of 15 ms.
        let update = try #require(bench.controller.packets.last { $0[1...2] == [0x13, 0x20] })
        #expect(Array(update[6..<10]) == [24, 0, 24, 0])
    }
}
