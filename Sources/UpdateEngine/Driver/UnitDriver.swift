import Bluetooth
import Logging
import Synchronization
import UpdateModel

/// Carries out the steps of one unit's update over an adapter, and returns their outcomes.
struct UnitDriver<Air: Adapter> {
    let adapter: Air
    let policy: RetryPolicy
    let log: Logger
    let report: @Sendable (UpdateEvent) -> Void
    /// Called before each change of the device; may record the change, or refuse it by throwing.
    let willChange: @Sendable (DeviceChange) async throws -> Void
    let eventState: EventState
    let nearbyScan: NearbyScan
    var telemetry: Telemetry
    /// Makes the identity query for an application with sessions; nil if such applications have none.
    let identifying: IdentityQueryFactory?
    /// The result of the identity query over the current or last link; nil if there was no query.
    var identityFacts: ApplicationFacts?
    var settings: ReportedSettings?
    /// How often the application was told in a session to start its bootloader; `RetryPolicy.entries` once it has refused.
    var entriesWithSession = 0
    /// Whether the next request to start the bootloader is sent without a session: the last try is reserved for that.
    var entersWithoutSession: Bool { entriesWithSession >= max(policy.entries - 1, 1) }
    /// Claims that keep other programs from using the unit, for every address that it may have.
    var claims: [DeviceAddress: BeaconClaim] = [:]

    mutating func drive(_ unit: inout UnitUpdate) async -> Result<VerifiedState, UpdateFailure> {
        var fact = UnitFact.begun
        while true {
            let step = next(&unit, after: fact)
            if case .finish(let result) = step {
                // If advertisements have verified the version, the settings were not read yet.
                if case .success = result, unit.setup.isVerifying,
                    unit.procedure.targetSignature.isApplication
                {
                    noteSettings((unit.procedure as? any IdentifyingProcedure)?.identified?.settings)
                    await askForSettings(at: unit.setup.address)
                }
                return result
            }
            fact = await outcome(of: step, &unit)
        }
    }

    private mutating func next(_ unit: inout UnitUpdate, after fact: UnitFact) -> UnitStep {
        let step = unit.advance(after: fact, at: adapter.time.now)
        for effect in unit.takeEffects() {
            switch effect {
            case .report(let event): report(event)
            case .notice(let notice): telemetry.record(notice)
            case .log(let line): log.info("\(line)")
            case .answered: nearbyScan.noteAnswer()
            case .inApplication: nearbyScan.noteApplication()
            case .closeNearbyScan: nearbyScan.close()
            }
        }
        return step
    }

    private mutating func outcome(of step: UnitStep, _ unit: inout UnitUpdate) async -> UnitFact {
        do {
            switch step {
            case .claim(let address):
                try claim(address)
                return .claimed
            case .listen(let condition): return .nearbyScan(try await nearbyScan.wait(for: condition))
            case .search(let addresses, let limit):
                return .heard(try await adapter.firstHeard(of: addresses, within: limit))
            case .connect(let address, let options):
                return try await link(to: address, with: options, &unit)
            case .probe(let address, let options):
                return .probed(try await probe(at: address, with: options))
            case .find(let lock, let limit): return .found(try await verdict(of: lock, within: limit))
            case .scan(let length): return .scanned(try await adapter.lastReports(in: length))
            case .rest(let length):
                try await adapter.time.sleep(for: length)
                return .rested
            case .examine, .enter, .update, .disconnect, .finish:
                return .disconnected(LinkOutcome(end: .lost))
            }
        } catch {
            return .failed(UpdateFailure(of: error, during: eventState.phase))
        }
    }

    private mutating func claim(_ address: DeviceAddress) throws(AdapterError) {
        guard claims[address] == nil else { return }
        claims[address] = try adapter.claim(address)
    }
}

extension UnitDriver {
    /// How long to wait until a device with a complete image ends the link. If this program ended the link, the device
    /// might advertise again before it restarts.
    private static var disconnectTimeout: Duration { .seconds(5) }

    /// How long to wait until an application that starts its bootloader ends the link; it may not end the link at all
    /// (nordic-buttonless.md, Timing).
    private static var entryDisconnectTimeout: Duration { .milliseconds(500) }

    /// Connects, and carries out the steps of `unit` over the link until `unit` ends it or the link is lost.
    private mutating func link(
        to address: DeviceAddress, with options: ProbeOptions, _ unit: inout UnitUpdate
    ) async throws -> UnitFact {
        let linkRequest = policy.linkRequest(priority: unit.links.hasConnected ? 0 : policy.priority)
        var result = LinkOutcome()
        defer {
            telemetry.pause()
            if eventState.hasLink { report(.disconnected(address)) }
        }
        do {
            try claim(address)
            try await adapter.withLink(to: address, asking: linkRequest, within: policy.connect) {
                client, parameters in
                result.hasConnected = true
                nearbyScan.noteLink()
                var fact: UnitFact? = .connected(
                    try await identify(client, address, with: options, parameters))
                while let known = fact {
                    let step = next(&unit, after: known)
                    fact = try await outcome(of: step, over: client, &unit)
                }
            }
        } catch {
            result.end = try end(by: error)
        }
        if !result.hasConnected { result.advertisingInterval = adapter.advertisingInterval(of: address) }
        if result.hasConnected, unit.mayChangeProgram || nearbyScan.state.isBootloader {
            // From now on the scan could hear the unit itself at another address. `UnitUpdate.nextLink` relies on this.
            nearbyScan.close()
        } else {
            nearbyScan.noteApplication()
        }
        result.accepted = telemetry.accepted
        result.nearbyScan = nearbyScan.state
        return .disconnected(result)
    }

    /// How `error` ended the link, if another link may help; otherwise throws it.
    private func end(by error: any Error) throws -> LinkEnd {
        switch error {
        case AdapterError.noAnswer, GATTError.disconnected, GATTError.system: return .lost
        case AdapterError.tooManyLinks: return .silent(UpdateFailure(of: error, during: "connecting"))
        case GATTError.transactionTimeout(let step):
            log.info("no answer for 30 s while \(step)")
            return .silent(
                UpdateFailure(
                    .device.noAnswer, during: step, message: "no response for 30 s", mayReconnect: true
                ))
        case let failure as UpdateFailure where failure.mayReconnect:
            log.info("\(failure.message), trying a new link")
            return .silent(failure)
        default: throw error
        }
    }

    /// The outcome of a step over the link; nil if the step ends the link.
    private mutating func outcome(
        of step: UnitStep, over client: ATTClient, _ unit: inout UnitUpdate
    ) async throws -> UnitFact? {
        switch step {
        case .listen(let condition): return .nearbyScan(try await nearbyScan.wait(for: condition))
        case .examine(let version):
            if var facts = identityFacts {
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
        case .claim, .search, .connect, .probe, .find, .scan, .rest, .disconnect, .finish: return nil
        }
    }

    private mutating func enter(
        _ unit: inout UnitUpdate, from address: DeviceAddress, claiming places: Set<DeviceAddress>,
        over client: ATTClient
    ) async throws -> BootloaderHandoff {
        // Not reached: a unit without an entry takes no such step.
        guard var entry = unit.entry else { throw GATTError.disconnected }
        defer { unit.entry = entry }
        telemetry.willLeaveApplication = { [nearbyScan, adapter, policy, unit] isNamed in
            if isNamed { return nearbyScan.close() }
            if try await !nearbyScan.wait(for: .end).isComplete {
                // An earlier request to start the bootloader has ended the scan, but the application has stayed.
                let length = NearbyScan.length(of: policy, over: adapter)
                nearbyScan.complete(with: Set(try await adapter.lastReports(in: length).map(\.address)))
            }
            try unit.refuse(places, from: address, heard: nearbyScan.state.others)
        }
        // A device heard from now on may be the unit.
        if places == [address] { nearbyScan.close() }
        var runner = SessionRunner(with: client, time: adapter.time)
        let handoff: BootloaderHandoff
        do { handoff = try await runner.run(&entry, &telemetry) } catch GATTError.disconnected {
            // The application may have left.
            if identityFacts != nil { entriesWithSession += 1 }
            throw GATTError.disconnected
        } catch {
            guard !entersWithoutSession, let refusal = refusalWithinSession(error), let untried = unit.entry
            else { throw error }
            entriesWithSession = policy.entries
            // An entry that was refused within the session counts as not tried.
            entry = untried
            throw refusal
        }
        if identityFacts != nil { entriesWithSession += 1 }
        _ = try await runner.deviceDisconnects(within: Self.entryDisconnectTimeout)
        return handoff
    }

    /// The failure if an application with a session refuses to start its bootloader: another link may help, because
    /// not every vendor's application has a session when it gets the request (kbeacon.md, Update).
    private func refusalWithinSession(_ error: any Error) -> UpdateFailure? {
        guard identityFacts != nil else { return nil }
        switch error {
        case let failure as UpdateFailure where failure.code == .device.entryRefused:
            return UpdateFailure(
                failure.code, during: failure.during, message: failure.message, remedy: failure.remedy,
                mayReconnect: true)
        case GATTError.refused, GATTError.notEncrypted:
            return UpdateFailure(
                .device.entryRefused, during: "entering the bootloader", message: "\(error)",
                mayReconnect: true)
        default: return nil
        }
    }

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
        let result = try await runner.run(&unit.procedure, &telemetry)
        nearbyScan.noteAnswer()
        let disconnectTimeout =
            switch result {
            case .restart(let restart): restart.disconnectTimeout ?? Self.disconnectTimeout
            // With a proof, the new image runs already, and the device keeps the link.
            case .complete(let completion): completion.proof == nil ? Self.disconnectTimeout : .zero
            }
        return .updated(result, hasLeft: try await runner.deviceDisconnects(within: disconnectTimeout))
    }

    /// Opens credit-based channels over the link to `address`.
    private func channels(to address: DeviceAddress) -> SessionRunner.ChannelOpening {
        { [adapter, most = policy.choices.packetSize] (psm, limit) throws(GATTError) in
            do throws(AdapterError) {
                let channel = try await adapter.open(
                    .creditBased(psm: psm), to: address, asking: LinkRequest(), within: limit)
                let largest =
                    await adapter.parameters(of: channel).maximumPacket ?? LinkParameters.leastPacket
                return (channel, min(largest, most ?? largest))
            } catch {
                if case .cancelled = error { throw .cancelled }
                return nil
            }
        }
    }
}

/// State derived from the events so far: the phase of the update, and whether a link was reported, whose end has to
/// be reported too.
final class EventState: Sendable {
    private struct State: Sendable {
        var phase = UpdatePhase.connecting
        var hasLink = false
    }

    private let state = Mutex(State())

    func note(_ event: UpdateEvent) {
        state.withLock { state in
            switch event {
            case .phase(let phase): state.phase = phase
            case .connected: state.hasLink = true
            case .disconnected: state.hasLink = false
            default: break
            }
        }
    }

    var phase: String {
        let phase = state.withLock { $0.phase }
        return phase == .enteringBootloader ? "entering the bootloader" : phase.rawValue
    }

    var hasLink: Bool { state.withLock { $0.hasLink } }
}
