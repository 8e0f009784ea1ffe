public import Bluetooth
import Logging
import Synchronization
public import UpdateModel

/// Carries out the steps of one unit's update over an adapter, and returns their outcomes.
struct UnitDriver<Air: Adapter> {
    let adapter: Air
    let policy: RetryPolicy
    let log: Logger
    let report: @Sendable (UpdateEvent) -> Void
    /// Called before each change of the device; may record the change, or refuse it by throwing.
    let willChange: @Sendable (DeviceChange) async throws -> Void
    let notes: EventState
    let nearbyScan: NearbyScan
    var telemetry: Telemetry
    /// Makes the identity query for an application with sessions; nil if such applications have none.
    let identifying: IdentityQueryFactory?
    /// The result of the identity query over the current or last link; nil if there was no query.
    var identityQuery: ApplicationFacts?
    var settings: ReportedSettings?
    /// How often the application was told in a session to start its bootloader; the maximum once it has refused that.
    var entriesWithSession = 0
    /// Whether to tell the application without a session to start its bootloader: the last try is reserved for that.
    var entersWithoutSession: Bool { entriesWithSession >= max(policy.entries - 1, 1) }
    /// Claims that keep other programs from using the unit, for every address that it may have.
    var claims: [DeviceAddress: BeaconClaim] = [:]

    mutating func drive(_ unit: inout UnitUpdate) async -> Result<VerifiedState, UpdateFailure> {
        var fact = UnitFact.begun
        while true {
            let step = next(&unit, after: fact)
            if case .finish(let result) = step {
                // If advertisements have verified the version, the settings were not read yet.
                if case .success = result, unit.order.isVerifying,
                    unit.procedure.targetSignature.isApplication
                {
                    noteSettings((unit.procedure as? any IdentifyingProcedure)?.identified?.settings)
                    await askForSettings(at: unit.order.address)
                }
                return result
            }
            fact = await outcome(of: step, &unit)
        }
    }

    mutating func next(_ unit: inout UnitUpdate, after fact: UnitFact) -> UnitStep {
        let step = unit.take(fact, at: adapter.time.now)
        for effect in unit.takeEffects() {
            switch effect {
            case .report(let event): report(event)
            case .notice(let notice): telemetry.tell(notice)
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
            case .connect(let address, let questions):
                return try await link(to: address, asking: questions, &unit)
            case .probe(let address, let questions):
                return .probed(try await probe(at: address, asking: questions))
            case .find(let lock, let limit): return .found(try await verdict(of: lock, within: limit))
            case .overhear(let length): return .overheard(try await adapter.everybody(within: length))
            case .rest(let length):
                try await adapter.time.sleep(for: length)
                return .rested
            case .examine, .enter, .update, .disconnect, .finish:
                return .disconnected(LinkOutcome(cause: .lost))
            }
        } catch {
            return .failed(UpdateFailure(of: error, during: notes.phase))
        }
    }

    mutating func claim(_ address: DeviceAddress) throws(AdapterError) {
        guard claims[address] == nil else { return }
        claims[address] = try adapter.claim(address)
    }
}

extension Adapter {
    func everybody(within limit: Duration) async throws -> [Advertisement] {
        let heard = Mutex<[DeviceAddress: Advertisement]>([:])
        try await time.within(limit) {
            for await report in try await advertisements() { heard.withLock { $0[report.address] = report } }
        }
        return heard.withLock { Array($0.values) }
    }
}

extension UnitDriver {
    private static var mostListenings: Int { 8 }

    /// Passes all reports to `lock` until it has a verdict; after `limit` returns its `ending`.
    func verdict(of lock: BootloaderLock, within limit: Duration) async throws -> BootloaderLock.Verdict? {
        let time = adapter.time
        let start = time.now
        let unheardBefore = adapter.unheardTime
        let gaps = ListeningGaps(of: adapter)
        var lock = lock
        // A report, or nil at a moment at which the verdict may change.
        let (ticks, source) = AsyncStream.makeStream(of: Advertisement?.self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            func ask(at moment: Duration) {
                group.addTask {
                    try await time.sleep(until: start + moment)
                    source.yield(nil)
                }
            }
            group.addTask { [adapter] in
                defer { source.finish() }
                // A scan that ends is started again: the adapter may have been away for a moment.
                for _ in 0..<Self.mostListenings {
                    for await report in try await gaps.reports(from: adapter) { source.yield(report) }
                    if Task.isCancelled { return }
                }
            }
            ask(at: limit)
            var asked: Duration?
            for await tick in ticks {
                let now = time.now - start
                if let tick { lock.hear(tick, at: now) }
                if let verdict = lock.verdict(at: now) { return verdict }
                // Time in which another program's scan, this program's connection attempts or a missing adapter prevent
                // reception does not count as silence.
                let end = limit + min(adapter.unheardTime - unheardBefore, limit) + gaps.total
                guard now < end else { return lock.ending }
                if tick == nil, now >= limit { ask(at: end) }
                if let again = lock.nextDecision(after: now), again != asked, again < end {
                    asked = again
                    ask(at: again)
                }
            }
            try Task.checkCancellation()
            _ = try await group.next()  // rethrows the error that ended the scan
            throw AdapterError.unavailable("the adapter is gone")
        }
    }

    mutating func noteSettings(_ found: ReportedSettings?) {
        guard settings == nil, let found else { return }
        settings = found
        guard found.values.isEmpty else { return }
        warn(
            .session.settingsUnread,
            "the settings of the beacon could not be read, so they cannot be compared after the update")
    }

    private func warn(_ code: FailureCode, _ words: String) { report(.warning(code, words)) }

    /// Reads the settings of the application at `address` over another link, after a verified update.
    mutating func askForSettings(at address: DeviceAddress) async {
        guard settings?.values.isEmpty == false, let identifying else { return }
        var after = ReportedSettings()
        do {
            after = try await visit(address) { client in
                try await client.exchangeMTU(atMost: policy.choices.packetSize)
                guard let dialogue = try identifying(address, nil) else { return ReportedSettings() }
                return try await answer(to: dialogue, from: client, pausing: dialogue.leastInterval).settings
                    ?? ReportedSettings()
            }
        } catch { log.info("the settings could not be read again: \(error)") }
        compareSettings(with: after)
    }

    mutating func compareSettings(with after: ReportedSettings?) {
        guard let before = settings, !before.values.isEmpty, let after else { return }
        settings = ReportedSettings()
        guard !after.values.isEmpty else {
            warn(.session.settingsUnread, "the settings of the beacon could not be read after the update")
            return
        }
        let comparison = SettingsComparison(before, after)
        report(.detail(.settingsCompared(comparison)))
        for row in comparison.changed {
            warn(
                .session.settingsChanged,
                "\(row.name) was \(row.before) and is \(row.after?.description ?? "gone")")
        }
    }
}

/// A change of a device that is about to be made.
public enum DeviceChange: Equatable, Sendable {
    case enterBootloader(of: DeviceAddress)
    /// The device is sent firmware, from the first byte or from where it stopped. The part is nil if there is only one.
    case update(at: DeviceAddress, UpdatePart?)
    /// The device has its firmware; its settings are restored.
    case configure(at: DeviceAddress)
    /// The device has everything, and is told to install it. The part is nil if there is only one.
    case activate(at: DeviceAddress, UpdatePart?)
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

    var phase: String { state.withLock { $0.phase }.rawValue.replacing("-", with: " ") }

    var hasLink: Bool { state.withLock { $0.hasLink } }
}
