import Bluetooth
import Nordic
import Simulation
import Testing
import UpdateBench
import UpdateEngine
import UpdateModel

private let firmware = TestFirmware(count: 4000)

/// A beacon in its application that can be sent to its bootloader.
private func bench(
    faults: [Fault] = [], name: String? = "Dfu12345", neighbours: [NordicDescription] = [],
    policy: RetryPolicy = RetryPolicy(),
    _ change: @escaping @Sendable (inout NordicDescription) -> Void = { _ in }
) -> NordicBench {
    NordicBench(
        faults: faults, policy: policy,
        change: {
            $0.program = .application
            change(&$0)
        }, entering: NordicBench.Entering(name: name), neighbours: neighbours)
}

private func neighbour(
    _ address: String, _ change: (inout NordicDescription) -> Void = { _ in }
) throws -> NordicDescription {
    var description = NordicDescription(address: try #require(DeviceAddress(address)))
    description.softDevice = 0x98
    change(&description)
    return description
}

extension NordicBenchResult {
    /// When links were made.
    fileprivate var links: [Duration] {
        zip(moments, events).compactMap { if case .connected = $1 { $0 } else { nil } }
    }

    fileprivate var connections: [String] {
        events.compactMap { if case .connected(let address, _) = $0 { address.description } else { nil } }
    }
}

/// Returns a name once.
private struct ForgetfulEntry: BootloaderEntry {
    private var entry = ButtonlessEntry(name: "Dfu12345")
    private var begins = 0
    private var isAnnounced = false

    var entryCharacteristics: [Characteristic] { entry.entryCharacteristics }
    func expectedAddresses(enteringBy entryCharacteristic: Characteristic) -> Set<ExpectedAddress> {
        entry.expectedAddresses(enteringBy: entryCharacteristic)
    }
    func mayName(enteringBy entryCharacteristic: Characteristic) -> Bool { true }
    mutating func choose(_ entryCharacteristic: Characteristic) { entry.choose(entryCharacteristic) }
    mutating func begin(on link: LinkFacts) throws(UpdateFailure) -> EntryStep {
        begins += 1
        if begins == 2 {
            entry = ButtonlessEntry(name: nil)
            entry.choose(entryCharacteristics[0])
        }
        return try entry.begin(on: link)
    }
    mutating func note(_ times: CommandTimes) {}
    mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> EntryStep {
        guard begins == 2, !isAnnounced else { return try entry.advance(after: outcome) }
        isAnnounced = true
        return EntryStep(.rest(.zero), notices: [.leavingApplication(isNamed: false)])
    }
    var handoffOnLoss: BootloaderHandoff? { entry.handoffOnLoss }
}

@Suite(.timeLimit(.minutes(10))) struct `An update that begins in the application` {
    @Test(arguments: [ButtonlessKind.named, .nameless, .experimental])
    func `ends with the image, through the bootloader at the next address`(_ kind: ButtonlessKind)
        async throws
    {
        let result = try await bench { $0.buttonless = kind }.flash(firmware)
        #expect(result.report?.verified == .version, "\(result.outcome)")
        #expect(result.application == firmware.image)
        #expect(result.connections == ["F0:0D:BE:AC:00:00", "F0:0D:BE:AC:00:01"])
        #expect(
            result.phases == [
                .connecting, .enteringBootloader, .connecting, .preparing, .transferring, .activating,
                .rebooting, .verifying,
            ])
        #expect(result.isFree)
    }

    @Test func `finds a bootloader at a vendor-specific address by its name`() async throws {
        let elsewhere = try #require(DeviceAddress("C1:22:33:44:55:66"))
        let result = try await bench { $0.bootloaderAddress = elsewhere }.flash(firmware)
        #expect(result.report?.verified == .version, "\(result.outcome)")
        #expect(result.connections == ["F0:0D:BE:AC:00:00", "C1:22:33:44:55:66"])
    }

    @Test func `ends with bootloader-not-found if there is neither address nor name`() async throws {
        let elsewhere = try #require(DeviceAddress("C1:22:33:44:55:66"))
        let result = try await bench(name: nil) { $0.bootloaderAddress = elsewhere }.flash(firmware)
        #expect(result.failure?.code == .device.bootloaderNotFound, "\(result.outcome)")
    }

    @Test func `finds a bootloader that keeps the address`() async throws {
        let result = try await bench { $0.bootloaderAddress = $0.address }.flash(firmware)
        #expect(result.report?.verified == .version, "\(result.outcome)")
        #expect(result.application == firmware.image)
    }

    @Test func `finds a bootloader without support for names`() async throws {
        let result = try await bench { $0.takesName = false }.flash(firmware)
        #expect(result.report?.verified == .version, "\(result.outcome)")
        #expect(result.connections.last == "F0:0D:BE:AC:00:01")
    }

    @Test(arguments: [true, false])
    func `does not wait for other beacons if its bootloader has a name`(_ passesEveryReport: Bool)
        async throws
    {
        var bench = bench()
        bench.passesEveryReport = passesEveryReport
        let result = try await bench.flash(firmware)
        #expect(result.report?.verified == .version, "\(result.outcome)")
        let links = result.links
        // Of that, 0.3 s are the wait for a second device of that name; the rest are requests, and the restart.
        #expect(links[1] - links[0] < .milliseconds(800), "\(links)")
    }

    /// The three seconds of listening continue during the link.
    @Test func `listens longer if the application accepts no name`() async throws {
        let other = try neighbour("F0:0D:BE:AC:00:01") { $0.bootloaderAddress = $0.address }
        var bench = bench(neighbours: [other]) { $0.buttonless = .nameless }
        bench.passesEveryReport = false
        bench.hearing = { address, events in
            let isEarly = events.age(of: .connecting).map { $0 < .milliseconds(2500) } ?? true
            return address.description.hasSuffix("01") && isEarly ? .absent : .normal
        }
        let result = try await bench.flash(firmware)
        #expect(result.failure?.code == .device.bootloaderAmbiguous, "\(result.outcome)")
        #expect(result.failure?.message.contains("nothing was changed") == true)
        #expect(result.connections == ["F0:0D:BE:AC:00:00"] && result.packetsToOthers == 0)
    }

    /// The name was given, the application has stayed, and accepts no name the second time.
    @Test func `listens again if an earlier departure failed`() async throws {
        let other = try neighbour("F0:0D:BE:AC:00:01") { $0.bootloaderAddress = $0.address }
        var bench = bench(faults: [.nordic(.ignoreEntry(1))], neighbours: [other])
        bench.passesEveryReport = false
        bench.hearing = { address, events in
            let isSecond = events.all.count { $0 == .phase(.enteringBootloader) } == 2
            let isLate = isSecond && events.age(of: .enteringBootloader).map { $0 > .seconds(2) } ?? false
            return address.description.hasSuffix("01") && !isLate ? .absent : .normal
        }
        let result = try await bench.flash(SecureProcedure(firmware.secureImage), entry: ForgetfulEntry())
        #expect(result.failure?.code == .device.bootloaderAmbiguous, "\(result.outcome)")
        #expect(result.failure?.message.contains("another beacon was heard at F0:0D:BE:AC:00:01") == true)
        #expect(result.packetsToOthers == 0)
    }

    @Test func `reports when it uses a bootloader without its name before all beacons were heard`()
        async throws
    {
        var bench = bench { $0.takesName = false }
        bench.passesEveryReport = false
        let result = try await bench.flash(firmware)
        #expect(result.report?.verified == .version, "\(result.outcome)")
        let isTold = result.events.contains {
            if case .warning(.device.bootloaderAssumed, let text) = $0 {
                text.contains("lacks the name")
            } else {
                false
            }
        }
        #expect(isTold)
    }

    @Test func `waits for a bootloader that is slow to appear`() async throws {
        let result = try await bench(faults: [.slowBootloader(.seconds(20))]).flash(firmware)
        #expect(result.report?.verified == .version, "\(result.outcome)")
    }

    @Test func `omits the name if that makes the application crash`() async throws {
        let result = try await bench { $0.crashesOnName = true }.flash(firmware)
        #expect(result.report?.verified == .version, "\(result.outcome)")
        let own = "F0:0D:BE:AC:00:00"
        #expect(result.connections == [own, own, "F0:0D:BE:AC:00:01"])
        #expect(result.report?.retries == 1)
    }

    @Test func `ends with not-in-bootloader if the application has no entry characteristic`() async throws {
        let result = try await bench { $0.buttonless = .none }.flash(firmware)
        #expect(result.failure?.code == .device.notInBootloader, "\(result.outcome)")
    }

    @Test func `enters again when the unit went back to its application`() async throws {
        // Power fails in the middle of the only object, which is lost with that.
        let whole = try await bench().flash(firmware).statistics.packetsReceived
        let result = try await bench(faults: [.powerLoss(afterPacket: whole - 8)]).flash(firmware)
        #expect(result.report?.verified == .version, "\(result.outcome)")
        #expect(result.application == firmware.image)
        let own = "F0:0D:BE:AC:00:00"
        let loader = "F0:0D:BE:AC:00:01"
        #expect(result.connections == [own, loader, own, loader])
    }

    @Test func `survives a link that is cut at any packet, before and after it`() async throws {
        let whole = try await bench().flash(firmware).statistics.packetsReceived
        for number in 1...whole {
            for fault in [Fault.cut(beforePacket: number), .cut(afterPacket: number)] {
                let result = try await bench(faults: [fault]).flash(firmware)
                #expect(result.isRight, "\(fault): \(result.outcome)")
                #expect(result.application == firmware.image, "\(fault)")
            }
        }
    }

    @Test(arguments: 1...2) func `survives lost, doubled and late indications`(_ number: Int) async throws {
        for fault in [
            Fault.loseNotification(number), .doubleNotification(number),
            .delayNotification(number, by: .seconds(4)), .delayNotification(number, by: .seconds(9)),
        ] {
            let result = try await bench(faults: [fault]).flash(firmware)
            #expect(result.isRight, "\(fault): \(result.outcome)")
            #expect(result.application == firmware.image, "\(fault)")
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `The lock on identity` {
    @Test func `sends nothing to other bootloaders in range`() async throws {
        let others = try ["F0:0D:BE:AC:01:00", "C0:00:00:00:00:01", "F0:0D:BE:AC:00:10"].map {
            try neighbour($0)
        }
        let result = try await bench(neighbours: others).flash(firmware)
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.packetsToOthers == 0)
    }

    @Test(arguments: [nil, "Dfu12345"])
    func `refuses before any change when another beacon has the bootloader's address`(
        _ name: String?
    ) async throws {
        // A unit that keeps its address in the bootloader, at the address where ours would appear.
        let other = try neighbour("F0:0D:BE:AC:00:01") { $0.bootloaderAddress = $0.address }
        let result = try await bench(name: name, neighbours: [other]).flash(firmware)
        #expect(result.failure?.code == .device.bootloaderAmbiguous, "\(result.outcome)")
        #expect(!result.phases.contains(.enteringBootloader))
        #expect(result.packetsToOthers == 0)
    }

    @Test func `does not send a neighbour's application to its bootloader`() async throws {
        // The selected unit is in its bootloader, and never answers; the application at the previous address is another
        // unit's.
        var description = try neighbour("F0:0D:BE:AC:00:00") {
            $0.bootloaderAddress = $0.address
            $0.program = .application
        }
        description.name = "Neighbour"
        var bench = NordicBench(entering: NordicBench.Entering(), neighbours: [description])
        bench.change = {
            $0.address = $0.address.neighbour(1)
            $0.bootloaderAddress = $0.address
        }
        bench.faults = [.silence(fromPacket: 10)]
        bench.policy = RetryPolicy(fruitlessLinks: 2)
        let result = try await bench.flash(firmware)
        #expect(result.packetsToOthers == 0)
        #expect(!result.phases.contains(.enteringBootloader))
        #expect(result.connections.allSatisfy { $0 == "F0:0D:BE:AC:00:01" }, "\(result.connections)")
    }

    @Test func `does not mistake a neighbour's application for the unit's own`() async throws {
        let other = try neighbour("F0:0D:BE:AC:00:00") {
            $0.program = .application
            $0.bootloaderAddress = $0.address
        }
        var bench = NordicBench(neighbours: [other])
        bench.change = {
            $0.address = $0.address.neighbour(1)
            $0.bootloaderAddress = $0.address
        }
        // The unit itself does not come back.
        bench.hearing = { address, events in
            address.description.hasSuffix("01") && events.age(of: .rebooting) != nil ? .absent : .normal
        }
        let result = try await bench.flash(firmware)
        #expect(result.failure?.code == .device.didNotReappear, "\(result.outcome)")
    }

    @Test func `does not send an application away that appears at the unit's possible address`() async throws
    {
        let other = try neighbour("F0:0D:BE:AC:00:00") {
            $0.program = .application
            $0.bootloaderAddress = $0.address
        }
        var bench = NordicBench(
            faults: [.cut(beforePacket: 30)], entering: NordicBench.Entering(), neighbours: [other])
        bench.change = {
            $0.address = $0.address.neighbour(1)
            $0.bootloaderAddress = $0.address
        }
        // The stranger comes when the unit's link is lost, and the unit itself is not heard any more.
        bench.hearing = { address, events in
            let isLost = events.age(of: .transferring).map { $0 > .milliseconds(100) } ?? false
            return address.description.hasSuffix("00") == isLost ? .normal : .absent
        }
        let result = try await bench.flash(firmware)
        #expect(result.failure?.code == .device.leftBootloader, "\(result.outcome)")
        #expect(!result.phases.contains(.enteringBootloader))
    }

    @Test func `waits for the selected application when that has crashed`() async throws {
        let other = try neighbour("F0:0D:BE:AC:00:FF") {
            $0.program = .application
            $0.bootloaderAddress = $0.address
            $0.buttonless = .none
        }
        var bench = bench(neighbours: [other]) { $0.crashesOnName = true }
        bench.hearing = { address, events in
            guard let age = events.age(of: .enteringBootloader) else {
                return address.description.hasSuffix("FF") ? .absent : .normal
            }
            return (age < .seconds(5)) == address.description.hasSuffix("FF") ? .normal : .absent
        }
        let result = try await bench.flash(firmware)
        #expect(result.connections.allSatisfy { !$0.hasSuffix("FF") }, "\(result.connections)")
    }

    @Test func `does not flash a stranger's bootloader that appears at the unit's other address`()
        async throws
    {
        // The unit keeps its address; the stranger's bootloader appears at the possible address of the unit's
        // application.
        let other = try neighbour("F0:0D:BE:AC:00:00") { $0.bootloaderAddress = $0.address }
        var bench = NordicBench(faults: [.cut(beforePacket: 30)], neighbours: [other])
        bench.change = {
            $0.address = $0.address.neighbour(1)
            $0.bootloaderAddress = $0.address
        }
        bench.hearing = { address, events in
            let age = events.age(of: .transferring) ?? .zero
            let isAway = age > .milliseconds(100) && age < .seconds(3)
            return address.description.hasSuffix("00") == isAway ? .normal : .absent
        }
        let result = try await bench.flash(firmware)
        #expect(result.packetsToOthers == 0)
        #expect(result.application == firmware.image, "\(result.outcome)")
    }

    @Test func `refuses a bootloader whose supposed application is heard after all`() async throws {
        let other = try neighbour("F0:0D:BE:AC:00:00") {
            $0.program = .application
            $0.bootloaderAddress = $0.address
        }
        var bench = NordicBench(neighbours: [other])
        bench.silentApplication = other.address
        bench.change = {
            $0.address = $0.address.neighbour(1)
            $0.bootloaderAddress = $0.address
        }
        let result = try await bench.flash(firmware)
        #expect(result.failure?.code == .device.bootloaderAmbiguous, "\(result.outcome)")
        #expect(result.statistics.commandsReceived == 0)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A unit that comes back in another way` {
    @Test func `is found again by its name, also when it is sent a second time`() async throws {
        let elsewhere = try #require(DeviceAddress("C1:22:33:44:55:66"))
        let whole = try await bench { $0.bootloaderAddress = elsewhere }.flash(firmware).statistics
            .packetsReceived
        let result = try await bench(faults: [.powerLoss(afterPacket: whole - 8)]) {
            $0.bootloaderAddress = elsewhere
        }.flash(firmware)
        #expect(result.report?.verified == .version, "\(result.outcome)")
        #expect(result.connections.filter { $0 == "C1:22:33:44:55:66" }.count == 2, "\(result.connections)")
    }

    @Test func `is not verified with an application that takes no connections if it did before`()
        async throws
    {
        var bench = bench { $0.bootloaderAddress = $0.address }
        bench.hearing = { _, events in events.age(of: .rebooting) == nil ? .normal : .notConnectable }
        let result = try await bench.flash(firmware)
        // Its version was known before, and cannot be read any more.
        #expect(result.report?.verified == .no, "\(result.outcome)")
        #expect(result.hasWarnedOfActivation)
    }

    @Test func `is unverified when it answers but is not heard`() async throws {
        // At an address that is only probably the application's.
        let bench = NordicBench(hearing: { address, events in
            guard events.age(of: .rebooting) != nil else { return .normal }
            return address.description.hasSuffix("01") ? .absent : .deaf
        })
        let result = try await bench.flash(firmware)
        #expect(result.report?.verified == .no, "\(result.outcome)")
        #expect(result.hasWarnedOfActivation)
    }
}
