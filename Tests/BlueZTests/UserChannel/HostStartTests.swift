import Bluetooth
import Bytes
import TestSupport
import Testing

@testable import BlueZ

@Suite struct `A host that has a controller to itself` {
    @Test func `prepares the controller, and says when it can be used`() {
        let bench = HostBench()
        #expect(bench.events == [.ready])
        #expect(bench.controller.commands.first == 0x0C03)
        #expect(bench.controller.commands.last == 0x2010)
        #expect(bench.controller.commands.contains(0x2024))
        #expect(!bench.controller.commands.contains(0x2005))
        #expect(bench.controller.complaints == [])
        #expect(bench.host.buffers.length == 27)
        #expect(bench.host.buffers.count == 4)
        #expect(bench.host.connector.size == 16)
        #expect(bench.host.controller.address?.description == "00:1B:DC:06:B2:4A")
    }

    @Test func `uses a random static address with a controller that has none`() {
        var controller = ImitatedController()
        controller.address = [0, 0, 0, 0, 0, 0]
        let bench = HostBench(controller)
        #expect(bench.events == [.ready])
        #expect(bench.controller.commands.contains(0x2005))
        #expect(bench.host.controller.address == HostBench.fallback)
        #expect(bench.host.controller.ownType == 1)
    }

    @Test func `shares the buffers of BR-EDR with a controller that has no others`() {
        var controller = ImitatedController()
        controller.buffers = 0
        let bench = HostBench(controller)
        #expect(bench.events == [.ready])
        #expect(bench.host.buffers.count == 7)
    }

    @Test(arguments: [0x0C03, 0x1002, 0x0C01, 0x2003, 0x1009, 0x2002, 0x200F, 0x2001, 0x2010] as [UInt16])
    func `cannot use a controller that refuses a command it needs`(_ opcode: UInt16) {
        var controller = ImitatedController()
        controller.refusals = [opcode: 0x01]
        let bench = HostBench(controller)
        guard case .failed(let reason)? = bench.events.first, bench.events.count == 1 else {
            Issue.record("\(bench.events)")
            return
        }
        #expect(reason.contains("hci1 cannot be used") && reason.contains("unknown command"))
    }

    @Test(arguments: [0x1001, 0x0C6D, 0x201C, 0x2024] as [UInt16])
    func `does without what a controller may refuse`(_ opcode: UInt16) {
        var controller = ImitatedController()
        controller.refusals = [opcode: 0x01]
        #expect(HostBench(controller).events == [.ready])
    }

    @Test func `gives up a controller that does not answer a command`() {
        var controller = ImitatedController()
        controller.mute = [0x2003]
        var bench = HostBench(controller)
        bench.pass(.milliseconds(1999))
        #expect(bench.events == [])
        bench.pass(.milliseconds(1))
        #expect(bench.events == [.failed("hci1 does not answer LE Read Local Supported Features")])
        #expect(bench.host.deadline == nil)
    }

    @Test func `does not take the answer to another command for that to its own`() {
        var controller = ImitatedController()
        controller.mute = [0x2003]
        var bench = HostBench(controller)
        bench.hear([ImitatedController.event(0x0E, [1, 0x09, 0x10, 0] + controller.address + [0, 0])])
        #expect(bench.controller.commands.last == 0x2003)
        bench.pass(.seconds(2))
        #expect(bench.events == [.failed("hci1 does not answer LE Read Local Supported Features")])
    }

    @Test func `sends no command before the controller takes one`() {
        var controller = ImitatedController()
        controller.credits = 0
        var bench = HostBench(controller)
        #expect(bench.controller.commands == [0x0C03])
        bench.hear([ImitatedController.event(0x0E, [1, 0, 0])])
        #expect(bench.controller.commands.count == 2)
        bench.pass(.seconds(2))
        #expect(bench.events == [.failed("hci1 takes no commands any more")])
    }

    @Test func `fails with a hardware error`() {
        var bench = HostBench()
        let ticket = bench.open(HostBench.peer(1))
        bench.hear([ImitatedController.event(0x10, [0x2A])])
        let reason = "hci1 reports a hardware error, 0x2a"
        #expect(
            bench.events == [.ready, .refused(ticket: ticket, .unavailable(reason)), .failed(reason)])
    }

    @Test(arguments: [false, true]) func `ends links and resets the controller at the end`(_ isExtended: Bool)
        throws
    {
        var controller = ImitatedController()
        controller.isExtended = isExtended
        var bench = HostBench(controller)
        let (link, _) = try bench.connect(HostBench.peer(1))
        let ticket = bench.open(HostBench.peer(2))
        bench.host.listen(true, at: bench.now)
        bench.settle()
        bench.host.end(at: bench.now)
        bench.settle()
        #expect(bench.events.contains(.refused(ticket: ticket, .unavailable("hci1 is not used any more"))))
        #expect(bench.events.contains(.closed(link, HCIStatus(rawValue: 0x16))))
        #expect(bench.events.last == .ended)
        #expect(bench.controller.commands.last == 0x0C03)
        #expect(!bench.controller.isScanning && !bench.controller.isWaiting)
    }
}

@Suite struct `The scan of a host` {
    @Test(arguments: [false, true]) func `reports every advertisement while it is wanted`(_ isExtended: Bool)
    {
        var controller = ImitatedController()
        controller.isExtended = isExtended
        var bench = HostBench(controller)
        bench.advertise(HostBench.peer(1))
        bench.host.listen(true, at: bench.now)
        bench.settle()
        for _ in 0..<3 { bench.advertise(HostBench.peer(1)) }
        bench.host.listen(false, at: bench.now)
        bench.settle()
        #expect(!bench.controller.isScanning)
        bench.advertise(HostBench.peer(1))
        let report = Advertisement(
            address: HostBench.peer(1), rssi: -60, isConnectable: true, data: AdvertisingData([2, 1, 6]),
            packets: .legacy)
        #expect(bench.events == [.ready] + [UserChannelHost.Event](repeating: .heard(report), count: 3))
    }

    @Test func `is repeated after a refusal`() {
        var controller = ImitatedController()
        controller.refusals = [0x200C: 0x1F]
        var bench = HostBench(controller)
        bench.host.listen(true, at: bench.now)
        bench.settle()
        #expect(bench.events.last == .note("hci1 does not scan: unspecified error (0x1F)"))
        bench.controller.refusals = [:]
        bench.pass(.milliseconds(500))
        #expect(bench.controller.isScanning)
        #expect(bench.host.scanOffTime(at: bench.now) == .milliseconds(500))
    }

    @Test(arguments: [false, true])
    func `takes turns with connecting on a controller that cannot do both`(_ tellsStates: Bool) {
        var controller = ImitatedController()
        controller.canScanWhileConnecting = false
        controller.tellsStates = tellsStates
        var bench = HostBench(controller)
        bench.host.listen(true, at: bench.now)
        bench.settle()
        _ = bench.open(HostBench.peer(1))
        bench.pass(.milliseconds(500))
        #expect(bench.controller.isWaiting && !bench.controller.isScanning)
        bench.pass(.milliseconds(2500))
        #expect(!bench.controller.isWaiting && bench.controller.isScanning)
        bench.pass(.seconds(1))
        #expect(bench.controller.isWaiting && !bench.controller.isScanning)
        #expect(bench.host.scanOffTime(at: bench.now) == .seconds(3))
        bench.advertise(HostBench.peer(1))
        #expect(bench.controller.isScanning)
        // A controller that says so is never asked for both.
        let notes = bench.events.filter { if case .note = $0 { true } else { false } }
        #expect(notes.count == (tellsStates ? 0 : 1))
    }

    @Test func `begins on such a controller only when the connecting that was cancelled has ended`() {
        var controller = ImitatedController()
        controller.canScanWhileConnecting = false
        controller.delaysEnds = true
        var bench = HostBench(controller)
        bench.host.listen(true, at: bench.now)
        bench.settle()
        _ = bench.open(HostBench.peer(1))
        bench.pass(UserChannelHost.connectingTurn)
        #expect(bench.controller.commands.last == 0x200E)
        bench.hear(bench.controller.endWaiting())
        #expect(bench.controller.isScanning)
    }

    @Test func `continues while a controller that can do both connects`() {
        var bench = HostBench()
        bench.host.listen(true, at: bench.now)
        bench.settle()
        _ = bench.open(HostBench.peer(1))
        bench.pass(.seconds(10))
        #expect(bench.controller.isWaiting && bench.controller.isScanning)
        #expect(bench.host.scanOffTime(at: bench.now) == .zero)
    }
}

@Suite struct `An extended report` {
    static let address: [UInt8] = [1, 1, 0, 0xAC, 0xBE, 0x0D, 0xF0]

    static func heard(_ packets: [[UInt8]]) -> [Advertisement] {
        var controller = ImitatedController()
        controller.isExtended = true
        var bench = HostBench(controller)
        bench.host.listen(true, at: bench.now)
        bench.settle()
        bench.hear(packets)
        return bench.events.compactMap { if case .heard(let report) = $0 { report } else { nil } }
    }

    @Test func `has its PHYs`() {
        let reports = Self.heard([
            ImitatedController.extendedReport(Self.address, type: 0x01, phy: 3, data: [2, 1, 6])
        ])
        #expect(reports.map(\.packets) == [.extended(primary: .leCoded, secondary: .leCoded)])
        #expect(reports.map(\.isConnectable) == [true])
        let legacy = Self.heard([
            ImitatedController.extendedReport(Self.address, type: 0x13, data: [2, 1, 6])
        ])
        #expect(legacy.map(\.packets) == [.legacy])
        let reserved = Self.heard([
            ImitatedController.extendedReport(Self.address, type: 0x01, phy: 9, data: [2, 1, 6])
        ])
        #expect(reserved.map(\.packets) == [nil])
    }

    @Test func `is joined from its parts`() {
        let name = [UInt8](repeating: 0x61, count: 240)
        let whole = [241, 0x09] + name
        let reports = Self.heard([
            ImitatedController.extendedReport(Self.address, type: 0x20, data: Array(whole.prefix(100))),
            ImitatedController.extendedReport(Self.address, type: 0x20, data: Array(whole[100..<200])),
            ImitatedController.extendedReport(Self.address, type: 0x00, data: Array(whole[200...])),
        ])
        #expect(reports.map(\.data.name) == [String(decoding: name, as: UTF8.self)])
    }

    @Test func `that was cut short has what was received`() {
        let reports = Self.heard([
            ImitatedController.extendedReport(Self.address, type: 0x20, data: [2, 1, 6, 3, 0x09]),
            ImitatedController.extendedReport(Self.address, type: 0x40, data: [0x61, 0x62, 5, 9]),
        ])
        #expect(reports.map(\.data.name) == ["ab"])
    }

    @Test func `without a sender is left out`() {
        let reports = Self.heard([
            ImitatedController.extendedReport([0xFF, 0, 0, 0, 0, 0, 0], type: 0, data: [2, 1, 6])
        ])
        #expect(reports == [])
    }

    /// Parts that never end must not fill memory.
    @Test func `of endless parts is bounded`() {
        var assembly = ReportAssembly()
        var report = AdvertisingReport(address: HostBench.peer(1), data: [UInt8](repeating: 1, count: 229))
        report.completeness = .partial
        for _ in 0..<100 { #expect(assembly.add(report) == nil) }
        report.completeness = .complete
        #expect(assembly.add(report)?.data.count == ReportAssembly.mostData)
        for number in 0..<200 {
            var other = AdvertisingReport(address: HostBench.peer(UInt8(number)), data: [1])
            other.completeness = .partial
            #expect(assembly.add(other) == nil)
        }
    }
}
