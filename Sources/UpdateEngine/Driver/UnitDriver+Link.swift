import BluetoothTypes
import GATT
import Logging
import Radio
import Sessions
import Timing
import UpdateCore

extension UnitDriver {
    /// How long a device that has everything may take to hang up by itself. We wait for that: a device that
    /// we leave may advertise once more before it restarts.
    private static var farewell: Duration { .seconds(5) }

    /// The same for an application that leaves for its bootloader: it may not hang up at all
    /// (nordic-buttonless.md, Timing).
    private static var handoff: Duration { .milliseconds(500) }

    /// What every credit-based channel takes (Vol 3, Part A, 4.22).
    private static var leastPacket: Int { 23 }

    /// Connects, and carries out the steps that `unit` asks for over the link until it has had enough of it, or the
    /// link ends.
    mutating func link(
        to address: DeviceAddress, asking questions: ProgramQuestions, _ unit: inout UnitUpdate
    ) async throws -> UnitFact {
        let wish = LinkRequest(priority: unit.links.hasStood ? policy.reconnectPriority : policy.priority)
        var end = LinkOutcome()
        defer {
            telemetry.pause()
            if notes.hasLink { report(.disconnected(address)) }
        }
        do {
            try claim(address)
            try await adapter.withLink(to: address, asking: wish, within: policy.connect) {
                client, parameters in
                end.hasStood = true
                nearbyScan.noteLink()
                var fact: UnitFact? = .connected(
                    try await identify(client, address, asking: questions, parameters))
                while let known = fact {
                    let step = next(&unit, after: known)
                    fact = try await outcome(of: step, over: client, &unit)
                }
            }
        } catch {
            end.cause = try cause(of: error)
        }
        if end.hasStood, unit.mayChangeProgram || nearbyScan.state.isBootloader {
            nearbyScan.close()
        } else {
            nearbyScan.noteApplication()
        }
        end.accepted = telemetry.accepted
        end.nearbyScan = nearbyScan.state
        return .disconnected(end)
    }

    /// Why a link ended, where another one may help.
    private func cause(of error: any Error) throws -> LinkOutcome.Cause {
        switch error {
        case AdapterError.noAnswer, GATTError.disconnected, GATTError.bearer: return .lost
        case AdapterError.tooManyLinks: return .silent(UpdateFailure(of: error, during: "connecting"))
        case GATTError.transactionTimeout(let step):
            log.warning("no answer for 30 s while \(step)")
            return .silent(
                UpdateFailure(
                    .noAnswer, during: step, message: "the device did not answer for 30 s", mayReconnect: true
                ))
        case let failure as UpdateFailure where failure.mayReconnect:
            log.warning("\(failure.message), trying a new link")
            return .silent(failure)
        default: throw error
        }
    }

    /// What becomes of a step over the link; nil where it is none, and the link has to end.
    private mutating func outcome(
        of step: UnitStep, over client: ATTClient, _ unit: inout UnitUpdate
    ) async throws -> UnitFact? {
        switch step {
        case .listen(let condition): return .nearbyScan(try await nearbyScan.wait(for: condition))
        case .examine(let version):
            if var facts = identityQuery {
                facts.version = facts.version ?? version
                return .examined(facts)
            }
            let values = try await answer(to: ValuesDialogue(of: ApplicationFacts.sources), from: client)
            return .examined(ApplicationFacts(version: version, values: values))
        case .enter(let address, let places):
            for place in places { try claim(place) }
            try await willChange(.enterBootloader(of: address))
            return .entered(try await enter(&unit, from: address, claiming: places, over: client))
        case .update(let address):
            try await willChange(.update(at: address, unit.procedure.part))
            return try await update(&unit, over: client, to: address)
        case .claim, .search, .connect, .probe, .find, .overhear, .rest, .disconnect, .finish: return nil
        }
    }

    private mutating func enter(
        _ unit: inout UnitUpdate, from address: DeviceAddress, claiming places: Set<DeviceAddress>,
        over client: ATTClient
    ) async throws -> BootloaderHandoff? {
        guard var entry = unit.entry else { return nil }
        defer { unit.entry = entry }
        telemetry.willLeave = { [nearbyScan, adapter, policy, unit] isNamed in
            if isNamed { return nearbyScan.close() }
            if try await !nearbyScan.wait(for: .end).isComplete {
                // Listening ended when the application was told to leave before; it has stayed.
                let length = NearbyScan.length(of: policy, over: adapter)
                nearbyScan.complete(with: Set(try await adapter.everybody(within: length).map(\.address)))
            }
            try unit.refuse(places, from: address, heard: nearbyScan.state.others)
        }
        // A device that is heard from now on may be the unit.
        if places == [address] { nearbyScan.close() }
        var runner = SessionRunner(with: client, time: adapter.time)
        let end: SessionRunner.End<BootloaderHandoff>
        do { end = try await runner.run(&entry, &telemetry) } catch {
            guard !entersWithoutSession, let refusal = refusalWithinSession(error), let untried = unit.entry
            else { throw error }
            entriesWithSession = policy.entries
            // What was refused within the session was not tried.
            entry = untried
            throw refusal
        }
        if identityQuery != nil { entriesWithSession += 1 }
        guard case .ended(let handoff) = end else { return nil }
        _ = try await runner.deviceHangsUp(within: Self.handoff)
        return handoff
    }

    /// A refusal to leave an application that has a session: another link may do, for not every vendor's application holds one
    /// when it is sent away (kbeacon.md, Update).
    private func refusalWithinSession(_ error: any Error) -> UpdateFailure? {
        guard identityQuery != nil else { return nil }
        switch error {
        case let failure as UpdateFailure where failure.code == .entryRefused:
            return UpdateFailure(
                failure.code, during: failure.during, message: failure.message, remedy: failure.remedy,
                mayReconnect: true)
        case GATTError.refused, GATTError.notEncrypted:
            return UpdateFailure(
                .entryRefused, during: "entering the bootloader", message: "\(error)", mayReconnect: true)
        default: return nil
        }
    }

    /// Holds the conversation of the update over one link.
    private mutating func update(
        _ unit: inout UnitUpdate, over client: ATTClient, to address: DeviceAddress
    ) async throws -> UnitFact {
        if let identifying, var identified = unit.procedure as? any IdentifyingProcedure {
            do throws(SessionFailure) { identified.identityQuery = try identifying(address, nil) } catch {
                throw UpdateFailure(error)
            }
            unit.procedure = identified
        }
        let part = unit.procedure.part
        telemetry.willActivate = { [willChange] in try await willChange(.activate(at: address, part)) }
        var runner = SessionRunner(with: client, time: adapter.time, opening: channels(to: address))
        guard case .ended(let ending) = try await runner.run(&unit.procedure, &telemetry) else {
            return .updated(nil, hasLeft: true)
        }
        nearbyScan.noteAnswer()
        var farewell = Self.farewell
        if case .restart(let restart) = ending { farewell = restart.farewell ?? farewell }
        return .updated(ending, hasLeft: try await runner.deviceHangsUp(within: farewell))
    }

    /// Opens credit-based channels to the device at `address`, which has a link.
    private func channels(to address: DeviceAddress) -> SessionRunner.ChannelOpening {
        { [adapter] (psm, limit) throws(GATTError) in
            do throws(AdapterError) {
                let channel = try await adapter.open(
                    .creditBased(psm: psm), to: address, asking: LinkRequest(), within: limit)
                return (channel, await adapter.parameters(of: channel).maximumPacket ?? Self.leastPacket)
            } catch {
                if case .cancelled = error { throw .cancelled }
                return nil
            }
        }
    }
}
