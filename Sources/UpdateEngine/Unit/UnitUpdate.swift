import BluetoothTypes
import FirmwareModel
import Radio
import UpdateCore

/// The update of one unit, from the first report that is heard of it to the proof of what it runs, as a value.
///
/// `take` accepts what became of the last step and gives the next one. It awaits nothing, has no clock, and takes nobody
/// for the unit who may be another: five hundred of them need no task and no socket. (docs/decisions/0036)
struct UnitUpdate: Sendable {
    /// What was asked for.
    struct Order: Sendable {
        var address: DeviceAddress
        var neighbours = EarlierScan()
        var policy = RetryPolicy()
        /// Whether to look at what comes up in the end.
        var isVerifying = true
        /// What was accepted although it proves less.
        var risks: Set<Risk> = []
        /// How the unit's frames show its version; nil where they are not to be looked at.
        var frames: FrameVersion?
        /// Hears what an application says of itself before anything is judged by it.
        var learn: @Sendable (ApplicationFacts) -> Void = { _ in }
        /// Throws what an application's own words say against an update.
        var inspect: @Sendable (ApplicationFacts) throws(UpdateFailure) -> Void = { _ in }
    }

    enum State: Sendable {
        /// Nothing was asked for yet.
        case idle
        /// No other program may take the unit.
        case claiming
        /// The unit has to be heard before the first link.
        case awaitingFirstReport
        /// What it advertises has to be known before the first link.
        case awaitingFrames
        /// Who is near has to be known before the unit is searched for.
        case awaitingNearbyScan
        case searching(Duration)
        case connecting(DeviceAddress)
        case examiningApplication(DeviceAddress, entryCharacteristic: Characteristic)
        case examiningReceiver(DeviceAddress, Receiver, Revision?)
        /// Who is near has to be known before the application is sent away, where its bootloader could be mistaken.
        case clearing(DeviceAddress, entryCharacteristic: Characteristic)
        case entering(DeviceAddress)
        case updating(DeviceAddress)
        case disconnecting(LinkSummary)
        case finding(BootloaderHandoff, from: DeviceAddress)
        case resting
        case verifying(Verifying)
        case over(Result<VerifiedState, UpdateFailure>)
    }

    /// How the next link is found.
    enum NextLink: Sendable {
        /// The unit has to be listened for.
        case search
        /// It was heard a moment ago where it is supposed to be.
        case heard
        /// Its bootloader is supposed to hear its bonded peer alone: there is nothing to be listened for.
        case inaudible
    }

    let order: Order
    private(set) var state = State.idle
    /// The moment of the last fact.
    private(set) var now = Duration.zero
    /// What is to be told before the next step.
    private(set) var effects: [UnitEffect] = []

    /// What is said to the unit's program that takes the update.
    var procedure: any UpdateProcedure
    /// How the application is sent to its bootloader; nil where it is not to be.
    var entry: (any BootloaderEntry)?

    /// Where the unit may be.
    var candidates: CandidateAddresses
    /// Who was heard and is not the unit.
    private(set) var others: Set<DeviceAddress> = []
    /// Whether those are all who are near.
    var knowsOthers = false
    /// What the unit was before anything was changed.
    var baseline = Baseline()
    /// Where the unit was seen last, and running what.
    var seen = DeviceSighting()
    var approach = NextLink.heard

    var links = LinkHistory()
    /// How often the application was told to go.
    var entries = 0
    /// The bootloader may be there for its bonded peer alone: it is connected to though it was not heard.
    var mayBeInaudible = false
    /// Where the program that takes the update has answered; nil before it has.
    var proven: DeviceAddress?
    /// Why the device was restarted to begin again; nil once it has answered since.
    var repeating: UpdateFailure?
    /// Who came up where the bootloader was not found.
    var arrivals: [BootloaderLock.Arrival] = []
    /// What was seen last after an image that the device has found right, where it calls its firmware as before.
    var unchanged: VerifiedState?

    init(_ procedure: any UpdateProcedure, entering entry: (any BootloaderEntry)?, _ order: Order) {
        self.procedure = procedure
        self.entry = entry
        self.order = order
        candidates = CandidateAddresses(selected: order.address, of: procedure, others: [])
        baseline.advertisedVersion = order.neighbours.version
    }

    /// The version that has to be seen after the update.
    var promised: ExpectedVersion? {
        order.frames?.expected.map { ExpectedVersion(text: $0) } ?? procedure.expectedVersion
    }

    /// What is to be told, once.
    mutating func takeEffects() -> [UnitEffect] {
        defer { effects = [] }
        return effects
    }

    mutating func tell(_ effect: UnitEffect) { effects.append(effect) }

    mutating func report(_ event: UpdateEvent) { effects.append(.report(event)) }

    /// The step that follows from what became of the last one, at the moment `now`.
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

    /// A failure with what can be done about it, and what the unit is now.
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
                .internalError, during: "updating", message: "what became of a step does not belong to it")
        }
    }

    /// Takes notice of who was heard, and is not the unit.
    mutating func note(_ heard: Set<DeviceAddress>) {
        others.formUnion(heard)
        candidates = candidates.without(others)
    }

    /// Asks `inspect` and the procedure about what the application says of itself.
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
