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
    /// May record a change of the device, or refuse it.
    let willChange: @Sendable (DeviceChange) async throws -> Void
    let notes: EventState
    /// The devices near the unit.
    let nearbyScan: NearbyScan
    var telemetry: Telemetry
    /// Makes the identity query for an application with a session; nil if it has none.
    let identifying: IdentityQueryFactory?
    /// The facts from the current or last link.
    var identityQuery: ApplicationFacts?
    /// The settings before the update.
    var settings: ReportedSettings?
    /// How often it was told over a session to start its bootloader; the maximum once it has refused that.
    var entriesWithSession = 0
    /// Whether to tell it without a session: the last try is reserved for that.
    var entersWithoutSession: Bool { entriesWithSession >= max(policy.entries - 1, 1) }
    /// Claims that keep other programs from using the unit, for every address that it may have.
    private var claims: [DeviceAddress: BeaconClaim] = [:]

    init(
        _ adapter: Air, _ policy: RetryPolicy, _ log: Logger, _ notes: EventState,
        _ nearbyScan: NearbyScan, identifying: IdentityQueryFactory?,
        willChange: @escaping @Sendable (DeviceChange) async throws -> Void,
        report: @escaping @Sendable (UpdateEvent) -> Void
    ) {
        self.adapter = adapter
        self.policy = policy
        self.log = log
        self.notes = notes
        self.nearbyScan = nearbyScan
        self.identifying = identifying
        self.willChange = willChange
        self.report = report
        telemetry = Telemetry(time: adapter.time, nearbyScan: nearbyScan, report: report)
    }

    /// Runs `unit` to its end.
    mutating func drive(_ unit: inout UnitUpdate) async -> Result<VerifiedState, UpdateFailure> {
        var fact = UnitFact.begun
        while true {
            let step = next(&unit, after: fact)
            if case .finish(let result) = step {
                // If the version is verified from advertisements, its settings were not read yet.
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

    /// Returns the next step, after emitting its events.
    mutating func next(_ unit: inout UnitUpdate, after fact: UnitFact) -> UnitStep {
        let step = unit.take(fact, at: adapter.time.now)
        for effect in unit.takeEffects() {
            switch effect {
            case .report(let event): report(event)
            case .notice(let notice): telemetry.tell(notice)
            case .retry(let reason, let offset): telemetry.noteRetry(reason, from: offset)
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

    /// Keeps other programs from using `address` until the update is over.
    mutating func claim(_ address: DeviceAddress) throws(AdapterError) {
        guard claims[address] == nil else { return }
        claims[address] = try adapter.claim(address)
    }
}

extension Adapter {
    /// All devices heard within `limit`.
    func everybody(within limit: Duration) async throws -> [Advertisement] {
        let heard = Mutex<[DeviceAddress: Advertisement]>([:])
        try await time.within(limit) {
            for await report in try await advertisements() {
                heard.withLock { $0[report.address] = report }
            }
        }
        return heard.withLock { Array($0.values) }
    }
}
