import Bluetooth
import UpdateModel

/// The update of one unit, from the first report to the verification of the result; a state machine without I/O.
///
/// `take` accepts the outcome of the last step and returns the next one. It does not await, has no clock, and never
/// accepts a device that may be another: five hundred of them need no task and no socket. (docs/decisions/0036)
struct UnitUpdate: Sendable {
    /// The parameters of the update.
    struct Order: Sendable {
        var address: DeviceAddress
        var neighbours = EarlierScan()
        var policy = RetryPolicy()
        /// Whether to verify the result.
        var isVerifying = true
        /// Risks that the user accepts.
        var risks: Set<Risk> = []
        /// How the unit's advertisements show its version; nil to ignore them.
        var frames: FrameVersion?
        /// Gets the facts of an application before any check.
        var learn: @Sendable (ApplicationFacts) -> Void = { _ in }
        /// Throws if the application's facts rule out an update.
        var inspect: @Sendable (ApplicationFacts) throws(UpdateFailure) -> Void = { _ in }
    }

    enum State: Sendable {
        /// Nothing was requested yet.
        case idle
        /// Claiming the unit, so that no other program uses it.
        case claiming
        /// The unit has to be heard before the first link.
        case awaitingFirstReport
        /// Its advertisements have to be known before the first link.
        case awaitingFrames
        /// The devices nearby have to be known before the unit is searched for.
        case awaitingNearbyScan
        case searching(Duration)
        case connecting(DeviceAddress)
        case examiningApplication(DeviceAddress, entryCharacteristic: Characteristic)
        case examiningReceiver(DeviceAddress, Receiver, Revision?)
        /// The devices nearby have to be known before the application leaves, if its bootloader could be confused
        /// with one.
        case clearing(DeviceAddress, entryCharacteristic: Characteristic)
        case entering(DeviceAddress)
        case updating(DeviceAddress)
        case disconnecting(LinkSummary)
        case finding(BootloaderHandoff, from: DeviceAddress)
        case resting
        case verifying(Verifying)
        case over(Result<VerifiedState, UpdateFailure>)
    }

    /// How to find the unit for the next link.
    enum NextLink: Sendable {
        /// Scan for it.
        case search
        /// It was just heard at an expected address.
        case heard
        /// Its bootloader may advertise only to its bonded peer: a scan would not find it.
        case inaudible
    }

    let order: Order
    private(set) var state = State.idle
    /// The time of the last outcome.
    private(set) var now = Duration.zero
    /// Effects before the next step.
    private(set) var effects: [UnitEffect] = []

    /// The procedure for the program that takes the update.
    var procedure: any UpdateProcedure
    /// How to send the application to its bootloader; nil not to do so.
    var entry: (any BootloaderEntry)?

    /// Addresses that the unit may have.
    var candidates: CandidateAddresses
    /// Devices heard that are not the unit.
    private(set) var others: Set<DeviceAddress> = []
    /// Whether `others` are all devices nearby.
    var knowsOthers = false
    /// The state of the unit before any change.
    var baseline = Baseline()
    /// The last known address of the unit, and its program there.
    var seen = DeviceSighting()
    var approach = NextLink.heard

    var links = LinkHistory()
    /// How often the application was told to leave.
    var entries = 0
    /// The bootloader may advertise only to its bonded peer: connect without having heard it.
    var mayBeInaudible = false
    /// Where the program that takes the update has responded; nil before that.
    var proven: DeviceAddress?
    /// Why the device was restarted to begin again; nil once it has responded since.
    var repeating: UpdateFailure?
    /// New devices, if the bootloader was not found.
    var arrivals: [BootloaderLock.Arrival] = []
    /// The last result with an accepted image but an unchanged version text.
    var unchanged: VerifiedState?

    init(_ procedure: any UpdateProcedure, entering entry: (any BootloaderEntry)?, _ order: Order) {
        self.procedure = procedure
        self.entry = entry
        self.order = order
        candidates = CandidateAddresses(selected: order.address, of: procedure, others: [])
        baseline.advertisedVersion = order.neighbours.version
    }

    /// The version expected after the update.
    var promised: ExpectedVersion? {
        order.frames?.expected.map { ExpectedVersion(text: $0) } ?? procedure.expectedVersion
    }

    /// Returns and clears the pending effects.
    mutating func takeEffects() -> [UnitEffect] {
        defer { effects = [] }
        return effects
    }

    mutating func tell(_ effect: UnitEffect) { effects.append(effect) }

    mutating func report(_ event: UpdateEvent) { effects.append(.report(event)) }

    /// The next step after the outcome of the last one, at the time `now`.
    mutating func take(_ fact: UnitFact, at now: Duration) -> UnitStep {
        self.now = now
        do throws(UpdateFailure) {
            return try step(after: fact)
        } catch {
            if let step = told(again: error) { return step }
            if let verified = accepted(despite: error) { return finish(.success(verified)) }
            return finish(.failure(isSelected ? explained(error) : error))
        }
    }

    /// Whether the unit was heard at the address by which it was selected.
    private var isSelected: Bool {
        switch state {
        case .idle, .claiming, .awaitingFirstReport, .awaitingFrames: false
        default: true
        }
    }

    /// The failure with advice and the state of the unit.
    private func explained(_ failure: UpdateFailure) -> UpdateFailure {
        comparing(procedure.remedy(for: failure).map(failure.advising) ?? failure).leaving(deviceState)
    }

    mutating func go(to next: State, _ step: UnitStep) -> UnitStep {
        state = next
        return step
    }

    mutating func finish(_ result: Result<VerifiedState, UpdateFailure>) -> UnitStep {
        go(to: .over(result), .finish(result))
    }

    private mutating func step(after fact: UnitFact) throws(UpdateFailure) -> UnitStep {
        if case .over(let result) = state { return .finish(result) }
        if case .failed(let failure) = fact { throw failure }
        switch (state, fact) {
        case (.idle, .begun): return begin()
        case (.claiming, .claimed): return go(to: .awaitingFirstReport, .listen(until: .selection))
        case (.awaitingFirstReport, .nearbyScan(let near)): return try heardFirst(near)
        case (.awaitingFrames, .nearbyScan(let near)): return try firstLink(near)
        case (.awaitingNearbyScan, .nearbyScan(let near)): return search(near)
        case (.searching(let limit), .heard(let report)): return try heard(report, within: limit)
        case (.connecting(let address), .connected(let program)): return try linked(to: program, at: address)
        case (.examiningApplication(let address, let entryCharacteristic), .examined(let facts)):
            try check(facts)
            return try leave(address, by: entryCharacteristic)
        case (.examiningReceiver(let address, let receiver, let revision), .examined(let facts)):
            try check(facts)
            return update(at: address, receiver, revision)
        case (.clearing(let address, let entryCharacteristic), .nearbyScan(let near)):
            return try enter(from: address, by: entryCharacteristic, near)
        case (.entering(let address), .entered(let handoff)): return entered(handoff, from: address)
        case (.updating, .updated(let ending, let hasLeft)): return updated(ending, hasLeft)
        case (.disconnecting(let result), .disconnected(let end)): return try disconnected(end, result)
        case (_, .disconnected(let end)): return try disconnected(end, .lost)
        case (.finding(let handoff, let address), .found(let verdict)):
            return try found(verdict, after: handoff, from: address)
        case (.resting, .rested): return nextLink()
        case (.verifying(let verifying), let fact): return try verify(verifying, fact)
        default:
            throw UpdateFailure(
                .internalError, during: "updating", message: "the outcome does not match the step")
        }
    }

    /// Records devices that are not the unit.
    mutating func note(_ heard: Set<DeviceAddress>) {
        others.formUnion(heard)
        candidates = candidates.without(others)
    }

    /// Checks the application's facts with `inspect` and the procedure.
    private mutating func check(_ facts: ApplicationFacts) throws(UpdateFailure) {
        order.learn(facts)
        if let reason = facts.updateRefusal {
            throw UpdateFailure(
                .noUpdatesOnHardware, during: "asking the application",
                message: "\(order.address) takes no updates over the air: \(reason)")
        }
        for notice in try procedure.check(facts) { tell(.notice(notice)) }
        try order.inspect(facts)
    }
}
