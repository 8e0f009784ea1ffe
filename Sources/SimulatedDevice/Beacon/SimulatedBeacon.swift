public import BluetoothTypes
public import GATT
public import Timing

/// A beacon in memory: an application and a Secure DFU bootloader that take turns, over any `Bearer`.
///
/// It never sleeps on its own account: what is due (a reset, the end of patience) is caught up with
/// whenever somebody looks. Only `serve` waits, for answers that flash delays.
public actor SimulatedBeacon {
    /// What it is, and what was in it at first.
    public nonisolated let description: BeaconDescription

    private let time: Timekeeper
    private let keeper: (any BeaconMemory)?
    private var faults: FaultPlan
    private var bootloader: SecureBootloader
    private var program: Restart.Program
    private var awakens: Duration
    private var resetDue: Duration?

    private var link: Link?
    private var lastLink = 0

    /// One connection.
    private struct Link {
        let number: Int
        var server: AttributeServer
        var schedule = DeliverySchedule()
        var isSilent = false
        var isCut = false
        let outgoing: AsyncStream<DeliverySchedule.Delivery>.Continuation
    }

    /// A beacon as described, or one that goes on from an earlier run of the program.
    ///
    /// `retainedImage` is the flash from the application's start, as a `BeaconMemory` has kept it. To the
    /// beacon the time between the runs is a link that ended.
    public init(
        _ description: BeaconDescription, time: Timekeeper, faults: [Fault] = [],
        retained: RetainedState? = nil, retainedImage: [UInt8] = [], memory: (any BeaconMemory)? = nil
    ) {
        self.description = description
        self.time = time
        self.faults = FaultPlan(faults)
        keeper = memory
        var bootloader = SecureBootloader(
            description.personality, description.identity,
            settings: retained?.page ?? description.settings, timing: description.timing, at: time.now)
        bootloader.flash.lostWrites = self.faults.lostFlashWrites
        bootloader.flash.place(
            retained == nil ? description.applicationImage : retainedImage,
            at: description.layout.applicationStart)
        program = retained?.program ?? description.program
        if let retained {
            bootloader.resume(retained.memory, settings: retained.settings)
            bootloader.disconnect(at: time.now)
        }
        if bootloader.settings.applicationSize == 0 { program = .bootloader }
        self.bootloader = bootloader
        awakens = time.now + (program == .bootloader ? self.faults.bootloaderDelay : .zero)
    }

    /// What runs now.
    public var mode: Restart.Program {
        catchUp(to: time.now)
        return program
    }

    /// The application that runs: its exact bytes and its version; nil while the bootloader does.
    public var runningApplication: (image: [UInt8], version: UInt32)? {
        catchUp(to: time.now)
        guard program == .application else { return nil }
        return (bootloader.applicationImage, bootloader.settings.applicationVersion)
    }

    /// The bootloader as it is now.
    public var state: SecureBootloader {
        catchUp(to: time.now)
        return bootloader
    }

    /// What the beacon has seen.
    public var statistics: BeaconStatistics {
        var statistics = BeaconStatistics()
        statistics.packetsReceived = faults.packets
        statistics.commandsReceived = faults.commands
        statistics.bootloader = bootloader.statistics
        return statistics
    }

    /// Starts the bootloader, as a button held at power-up does.
    public func startBootloader() {
        let now = time.now
        restart(at: now)
        program = .bootloader
        awakens = now + faults.bootloaderDelay
        bootloader.stay(from: awakens)
        persist(at: now)
    }

    /// What a scanner hears at `now`; nil while the beacon is connected or not up (nordic-dfu 1.2).
    public func advertisement(at now: Duration) -> Advertisement? {
        catchUp(to: now)
        guard link == nil, resetDue == nil, now >= awakens else { return nil }
        var data = AdvertisingData()
        data.elements = [.flags(0x06)]
        if program == .bootloader {
            data.elements.append(.services([AttributeTable.dfuService], complete: false))
        }
        let name = program == .bootloader ? description.bootloaderName : description.name
        data.elements.append(.name(name, complete: true))
        return Advertisement(address: address, rssi: description.rssi, isConnectable: true, data: data)
    }

    /// The address at which the running program is to be found.
    public var address: DeviceAddress {
        program == .bootloader ? description.bootloaderAddress : description.address
    }

    /// Serves one link until it ends, by whichever side; a beacon that is not up ends it at once.
    public func serve(_ bearer: some Bearer) async {
        let (deliveries, outgoing) = AsyncStream.makeStream(of: DeliverySchedule.Delivery.self)
        guard let number = connect(outgoing) else { return bearer.close() }
        let time = time
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await Self.deliver(deliveries, over: bearer) }
                while let packet = try? await bearer.receive() {
                    guard let moment = receive(packet, on: number) else { continue }
                    group.addTask {
                        var next: Duration? = moment
                        while let moment = next, (try? await time.sleep(until: moment)) != nil {
                            next = await self.flush(number)
                        }
                    }
                }
                outgoing.finish()
                bearer.close()
                group.cancelAll()
            }
        } onCancel: {
            bearer.close()
        }
        disconnect(number)
    }

    /// The only sender on a link, so packets leave in order; it ends the link when told to or when it fails.
    private static func deliver(
        _ deliveries: AsyncStream<DeliverySchedule.Delivery>, over bearer: some Bearer
    ) async {
        for await delivery in deliveries {
            guard case .send(let packet) = delivery, (try? await bearer.send(packet)) != nil else { break }
        }
        bearer.close()
    }

    // MARK: One link

    private func connect(_ outgoing: AsyncStream<DeliverySchedule.Delivery>.Continuation) -> Int? {
        let now = time.now
        catchUp(to: now)
        guard link == nil, resetDue == nil, now >= awakens else { return nil }
        lastLink += 1
        link = Link(number: lastLink, server: server(), outgoing: outgoing)
        if program == .bootloader { bootloader.connect(at: now) }
        persist(at: now)
        return lastLink
    }

    private func server() -> AttributeServer {
        switch program {
        case .application:
            let version = bootloader.settings.applicationVersion
            return AttributeServer(
                .application(name: description.name, version: version), maximumMTU: 247)
        case .bootloader:
            let maximum = description.personality.maximumMTU
            return AttributeServer(
                .bootloader(name: description.bootloaderName, maximumMTU: maximum), maximumMTU: maximum,
                keepsWordSize: true)
        }
    }

    /// Processes one packet; the result is when something is left to be sent later.
    private func receive(_ packet: [UInt8], on number: Int) -> Duration? {
        let now = time.now
        catchUp(to: now)
        guard let link, link.number == number, !link.isCut else { return nil }
        switch faults.arrival(of: packet) {
        case .cut:
            cutLink()
            return nil
        case .fallSilent:
            self.link?.isSilent = true
            return nil
        case .process where !link.isSilent: process(packet, at: now)
        case .process, .ignore: break
        }
        if faults.losesPowerNow {
            restart(at: now)
        } else if faults.cutsNow {
            cutLink()
        }
        persist(at: now)
        return flush(number)
    }

    private func process(_ packet: [UInt8], at now: Duration) {
        guard let outcome = link?.server.receive(packet) else { return }
        if let answer = outcome.answer { link?.schedule.add(.send(answer), at: now) }
        guard program == .bootloader else { return }
        switch outcome.event {
        case .written(let value, AttributeTable.controlPoint):
            if let result = faults.resultInstead() {
                perform(.notify([0x60, value.first ?? 0] + result, at: now))
            } else {
                bootloader.controlPoint(value, at: now).forEach(perform)
            }
        case .commanded(let value, AttributeTable.packet):
            bootloader.packet(value, at: now).forEach(perform)
        case .written, .commanded, .confirmed, nil: break
        }
    }

    private func perform(_ reaction: BootloaderReaction) {
        switch reaction {
        case .notify(let value, let due): notify(value, at: due)
        case .disconnect(let due): link?.schedule.add(.close, at: due)
        case .reset(let due):
            resetDue = due
            if link?.schedule.endsLink == false { link?.schedule.add(.close, at: due) }
        }
    }

    private func notify(_ value: [UInt8], at due: Duration) {
        let treated = faults.treat(value, at: due)
        let packet = link?.server.notification(treated.value, from: AttributeTable.controlPoint)
        guard let packet else { return }
        if treated.waitsForNext {
            link?.schedule.hold(packet)
        } else {
            link?.schedule.addNotification(packet, copies: treated.copies, at: treated.due)
        }
    }

    /// Hands over what is due; the result is when the next delivery is.
    private func flush(_ number: Int) -> Duration? {
        guard let link, link.number == number else { return nil }
        for delivery in self.link?.schedule.take(by: time.now) ?? [] where !link.isSilent {
            link.outgoing.yield(delivery)
        }
        return self.link?.schedule.next
    }

    /// Ends the link without its waiting answers; what the bootloader has begun goes on.
    private func cutLink() {
        link?.schedule = DeliverySchedule()
        link?.isCut = true
        link?.outgoing.yield(.close)
    }

    private func disconnect(_ number: Int) {
        let now = time.now
        catchUp(to: now)
        guard link?.number == number else { return }
        link = nil
        if program == .bootloader { bootloader.disconnect(at: now) }
        persist(at: now)
    }

    // MARK: Resets

    /// Lets everything happen that was due by `now`.
    private func catchUp(to now: Duration) {
        if let due = resetDue, due <= now { restart(at: due) }
        while program == .bootloader, resetDue == nil, let deadline = bootloader.inactivityDeadline,
            deadline <= now
        {
            restart(at: deadline)
        }
    }

    private func restart(at moment: Duration) {
        let restart = bootloader.reset(at: moment)
        program = restart.program
        resetDue = nil
        awakens = moment + restart.time + (program == .bootloader ? faults.bootloaderDelay : .zero)
        // Whoever is still connected talks to nobody; the end of the link is all that is left to tell.
        cutLink()
        link = nil
        persist(at: moment)
    }

    private func persist(at now: Duration) {
        let changes = bootloader.flash.takeChanges()
        guard let keeper else { return }
        var settled = bootloader.settled(at: now)
        var program = program
        if let resetDue { program = settled.reset(at: resetDue).program }
        let start = description.layout.applicationStart
        for range in changes + settled.flash.takeChanges() {
            keeper.remember(image: settled.flash.content(range)[...], at: range.lowerBound - start)
        }
        keeper.remember(RetainedState(settled, program))
    }
}
