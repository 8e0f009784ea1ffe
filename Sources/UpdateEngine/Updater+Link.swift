import BluetoothTypes
import GATT
import Logging
import Radio
import Sessions
import Synchronization
import Timing
import UpdateCore

/// How one link ended.
enum LinkResult: Sendable {
    /// The device has everything, and has hung up by itself or not.
    case complete(Completion, hasLeft: Bool)
    /// The device restarts, and the update goes on.
    case restarting(Restart)
    /// The application answers, or is heard, where the bootloader was expected, and is not to be sent there; with
    /// what it calls its firmware.
    case application(DeviceAddress, revision: Revision?)
    /// The application at this address gives way to its bootloader.
    case departed(Departure, from: DeviceAddress)
    /// The link was lost, or did not come about.
    case lost
    /// The device does not answer any more; a new link may help.
    case silent(UpdateFailure)
}

/// What a device runs, as its characteristics show.
enum Program: Sendable {
    /// One that takes the update, and what it calls its firmware where it may be an application.
    case receiver(Receiver, revision: Revision?)
    /// An application, by which characteristic it can be sent to its bootloader, and what it calls its firmware.
    case application(door: Characteristic?, revision: Revision?)
}

/// Whether a link was told of, whose end is to be told of too.
private final class Standing: Sendable {
    private let isTold = Atomic(false)
    var stands: Bool { isTold.load(ordering: .acquiring) }
    func stand() { isTold.store(true, ordering: .releasing) }
}

extension Updater {
    /// Finds the device, connects, and runs the procedure until the link ends.
    func link(_ course: inout Course, _ telemetry: inout Telemetry) async throws -> LinkResult {
        let address = try await whereabouts(of: &course)
        course.isJustHeard = false
        guard let address else {
            return .application(course.places.application.first ?? course.places.bootloader, revision: nil)
        }
        var running = course
        var measured = telemetry
        let standing = Standing()
        var isLinked = false
        defer {
            telemetry.pause()
            if standing.stands { report(.disconnected(address)) }
            // An application that was not told to go is heard as itself again; a bootloader may give way to it.
            let isBootloader =
                running.proven != nil || running.entries > 0 || surroundings.state.isBootloader
            if isLinked, isBootloader { surroundings.close() } else { surroundings.noteApplication() }
            course = running
            course.note(surroundings.state.others)
            telemetry = measured
        }
        do {
            try running.claim(address, with: adapter)
            let wish = LinkWish(priority: course.wasLinked ? policy.reconnectPriority : policy.priority)
            return try await adapter.withLink(to: address, asking: wish, within: policy.connect) {
                client, parameters in
                isLinked = true
                running.wasLinked = true
                surroundings.noteLink()
                let doors = running.maySend(applicationAt: address) ? running.entry?.doors ?? [] : []
                switch try await introduce(
                    client, address, running, doors, parameters, standing)
                {
                case .application(let door, let revision):
                    surroundings.noteApplication()
                    trace.saw(.application, at: address)
                    guard let door else { return .application(address, revision: revision) }
                    if running.entries == 0 {
                        running.revision = revision
                        try await examine(client, running, &measured)
                    }
                    return try await leave(address, by: door, client, &running, &measured)
                case .receiver(let receiver, let revision):
                    guard let places = running.places.bootloader(at: address) else {
                        log.warning("\(address) is the bootloader of another device")
                        running.places = running.places.without([address])
                        return .lost
                    }
                    running.places = places
                    trace.saw(
                        running.updatesInApplication(by: receiver) ? .application : .bootloader, at: address)
                    if running.proven == nil {
                        running.note(receiver, revision)
                        if running.updatesInApplication, !running.procedure.entrance.isApplication {
                            try await examine(client, running, &measured)
                        }
                    }
                    running.proven = address
                    surroundings.noteAnswer()
                    if case .perhapsDone = running.procedure.linkEnded(),
                        running.isNews(revision, from: receiver)
                    {
                        return .application(address, revision: revision)
                    }
                    running.repeating = nil
                    running.procedure.receiver = running.entries > 0 ? .bootloader : receiver
                    return try await update(&running.procedure, over: client, to: address, &measured)
                }
            }
        } catch AdapterError.noAnswer {
            return .lost
        } catch GATTError.disconnected, GATTError.bearer {
            return .lost
        } catch GATTError.transactionTimeout(let step) {
            log.warning("no answer for 30 s while \(step)")
            return .silent(
                UpdateFailure(
                    .noAnswer, during: step, message: "the device did not answer for 30 s", mayReconnect: true
                ))
        } catch let failure as UpdateFailure where failure.mayReconnect {
            log.warning("\(failure.message), trying a new link")
            return .silent(failure)
        }
    }

    /// Tells of a value that was read.
    var tellRead: ATTClient.Reader { { [report] in report(.detail(.characteristicRead($0, $1))) } }

    /// Holds the conversation of the update over one link.
    private func update(
        _ procedure: inout any UpdateProcedure, over client: ATTClient, to address: DeviceAddress,
        _ telemetry: inout Telemetry
    ) async throws -> LinkResult {
        var runner = SessionRunner(with: client, time: adapter.time, opening: channels(to: address))
        let end = try await runner.run(&procedure, &telemetry)
        if case .ended = end { surroundings.noteAnswer() }
        switch end {
        case .ended(.complete(let completion)):
            return .complete(completion, hasLeft: try await runner.deviceHangsUp(within: Self.farewell))
        case .ended(.restart(let restart)):
            _ = try await runner.deviceHangsUp(within: Self.farewell)
            return .restarting(restart)
        case .linkLost: return .lost
        }
    }

    /// How long a device that has everything may take to hang up by itself. We wait for that: a device that
    /// we leave may advertise once more before it restarts.
    private static var farewell: Duration { .seconds(5) }

    /// The same for an application that leaves for its bootloader: it may not hang up at all
    /// (nordic-buttonless.md, Timing).
    private static var departure: Duration { .milliseconds(500) }

    /// Opens credit-based channels to the device at `address`, which has a link.
    private func channels(to address: DeviceAddress) -> SessionRunner.ChannelOpening {
        { [adapter] (psm, limit) throws(GATTError) in
            do throws(AdapterError) {
                let channel = try await adapter.open(
                    .creditBased(psm: psm), to: address, asking: LinkWish(), within: limit)
                return (channel, await adapter.parameters(of: channel).maximumPacket ?? Self.leastPacket)
            } catch {
                if case .cancelled = error { throw .cancelled }
                return nil
            }
        }
    }

    /// What every credit-based channel takes (Vol 3, Part A, 4.22).
    private static var leastPacket: Int { 23 }

    /// Where the unit is now; nil when its application is heard and takes no connections.
    private func whereabouts(of course: inout Course) async throws -> DeviceAddress? {
        // It was heard a moment ago, at the only address by which it may be talked to so far.
        if course.isFirst { return course.places.bootloader }
        report(.phase(.connecting))
        if course.isInaudible || course.isJustHeard { return course.places.bootloader }
        course.note(try await surroundings.wait { $0.isOver }.others)
        let search = patience(after: course.procedure.linkEnded())
        let heard = try await adapter.firstHeard(of: course.places.all, within: search)
        guard let heard else {
            if course.mayBeInaudible { return course.places.bootloader }
            trace.left()
            throw UpdateFailure(
                .linkLost, during: "looking for the device",
                message: "\(course.places.bootloader) was not heard for \(Int(search.seconds)) s")
        }
        // A bootloader always takes connections; an application need not. One that was sent to its bootloader
        // did, and may show other frames in between.
        guard
            heard.isConnectable != false || heard.address == course.places.bootloader
                || course.entry != nil && course.maySend(applicationAt: heard.address)
        else { return nil }
        return heard.address
    }

    /// Sends the application at `address` to its bootloader.
    private func leave(
        _ address: DeviceAddress, by door: Characteristic, _ client: ATTClient, _ course: inout Course,
        _ telemetry: inout Telemetry
    ) async throws -> LinkResult {
        guard var entry = course.entry else { return .application(address, revision: nil) }
        guard course.entries < policy.entries else { throw tooManyEntries(course, address) }
        course.note(try await surroundings.wait { $0.isOver }.others)
        try checkRoom(behind: door, of: entry, from: address, course.others)
        for place in entry.appearances(behind: door) {
            try course.claim(place.address(from: address), with: adapter)
        }
        entry.choose(door)
        course.places = Whereabouts(application: address, bootloader: address)
        defer { course.entry = entry }
        var runner = SessionRunner(with: client, time: adapter.time)
        if case .ended(let departure) = try await runner.run(&entry, &telemetry) {
            _ = try await runner.deviceHangsUp(within: Self.departure)
            return .departed(departure, from: address)
        }
        switch entry.linkEnded() {
        case .leaving(let departure): return .departed(departure, from: address)
        case .staying: return .lost
        }
    }

    private func tooManyEntries(_ course: Course, _ address: DeviceAddress) -> UpdateFailure {
        course.proven != nil
            ? UpdateFailure(
                .leftBootloader, during: "looking for the bootloader",
                message:
                    "\(address) was sent to its bootloader \(course.entries) times and came back before it "
                    + "had the whole image")
            : UpdateFailure(
                .bootloaderNotEntered, during: "entering the bootloader",
                message: "\(address) was told \(course.entries) times to start its bootloader and still runs "
                    + "its application")
    }

    /// Agrees on the MTU and looks for the bootloader's characteristic, and else for one of `doors`.
    private func introduce(
        _ client: ATTClient, _ address: DeviceAddress, _ course: Course, _ doors: [Characteristic],
        _ parameters: @escaping @Sendable () async -> LinkParameters, _ standing: Standing
    ) async throws -> Program {
        let program = try await adapter.time.within(policy.introduction) { () -> Program in
            try await client.exchangeMTU()
            let link = await parameters()
            standing.stand()
            report(
                .connected(
                    address,
                    LinkDescription(
                        mtu: await client.mtu, interval: link.interval, phy: link.phy?.rawValue)))
            let receiver = try await client.receiver(by: course.procedure.entrance)
            report(.detail(.servicesDiscovered(try await client.discoverServices().map(\.uuid))))
            if let receiver, course.knowsVersion { return .receiver(receiver, revision: nil) }
            if let receiver { return try await shown(by: receiver, client, course.procedure) }
            let revision = try await client.readRevision(telling: tellRead)
            for door in doors where try await client.offers(door) {
                return .application(door: door, revision: revision)
            }
            return .application(door: nil, revision: revision)
        }
        guard let program else {
            throw UpdateFailure(
                .noAnswer, during: "discovering services",
                message: "\(address) did not come to the end of its services in "
                    + "\(Int(policy.introduction.seconds)) s", mayReconnect: true)
        }
        return program
    }

    /// A program that takes the update. A bootloader that shows no version has none to be read.
    func shown(
        by receiver: Receiver, _ client: ATTClient, _ procedure: any UpdateProcedure
    ) async throws(GATTError) -> Program {
        guard receiver != .bootloader else { return .receiver(receiver, revision: nil) }
        return .receiver(
            receiver,
            revision: try await client.readRevision(meeting: procedure.promise, telling: tellRead))
    }

    /// How long to look for the device: one that may be installing its image takes as long as that takes.
    private func patience(after ending: LinkEnding) -> Duration {
        switch ending {
        case .interrupted, .refused: policy.search
        case .restarting(let patience): max(policy.search, patience)
        case .perhapsDone(let completion): max(policy.search, completion.patience)
        }
    }
}
