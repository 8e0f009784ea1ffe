import Bluetooth
import UpdateModel

/// The update of one unit, from the first report to the verification of the result; a state machine without I/O.
///
/// `advance` accepts the outcome of the last step and returns the next one. It never accepts a device that may be another
/// one. It does not await and has no clock, so that tests run hundreds of updates without a task or a socket.
/// (docs/decisions/0015)
struct UnitUpdate: Sendable {
    /// Which unit to update, and the user's choices for it.
    struct Setup: Sendable {
        var address: DeviceAddress
        var earlierScan = EarlierScan()
        var policy = RetryPolicy()
        var isVerifying = true
        var risks: Set<Risk> = []
        /// How the unit's advertisements show its version; nil to ignore them.
        var frames: FrameVersion?
        /// Gets the facts of the application before any check.
        var learn: @Sendable (ApplicationFacts) -> Void = { _ in }
        /// Throws if the facts of the application rule out the update.
        var inspect: @Sendable (ApplicationFacts) throws(UpdateFailure) -> Void = { _ in }
    }

    enum State: Sendable {
        case idle
        /// Claiming the unit, so that no other program uses it.
        case claiming
        /// The unit has to be heard before the first link.
        case awaitingFirstReport
        /// The unit's advertisements have to be known before the first link.
        case awaitingFrames
        /// The devices nearby have to be known before the unit is searched for.
        case awaitingNearbyScan
        case searching(Duration)
        case connecting(DeviceAddress)
        case examiningApplication(DeviceAddress, entryCharacteristic: Characteristic)
        case examiningReceiver(DeviceAddress, Receiver, Revision?)
        /// The devices nearby have to be known before the application is told to start its bootloader, if that could be
        /// confused with one of them.
        case awaitingScanBeforeEntry(DeviceAddress, entryCharacteristic: Characteristic)
        case entering(DeviceAddress)
        case updating(DeviceAddress)
        case disconnecting(LinkEnd)
        case finding(BootloaderHandoff, from: DeviceAddress)
        case resting
        case verifying(Verifying)
        case over(Result<VerifiedState, UpdateFailure>)
    }

    /// Whether the unit can be heard, which decides how the next link begins.
    enum Audibility: Sendable {
        /// The unit has to be searched for before the next link.
        case unknown
        /// It was just heard: the next link needs no search.
        case heard
        /// Its bootloader may advertise only to its bonded peer: a scan would not find it.
        case inaudible
    }

    let setup: Setup
    private(set) var state = State.idle
    private(set) var now = Duration.zero
    private(set) var effects: [UnitEffect] = []

    var procedure: any UpdateProcedure
    /// How to send the application to its bootloader; nil not to do so.
    var entry: (any BootloaderEntry)?

    var candidates: CandidateAddresses
    private(set) var others: Set<DeviceAddress> = []
    var knowsOthers = false
    var baseline = Baseline()
    /// The last known address of the unit, and its program there.
    var seen = DeviceSighting()
    var audibility = Audibility.heard

    var links = LinkHistory()
    var entries = 0
    /// Whether the bootloader may advertise only to its bonded peer: then a connection does not wait until it is heard.
    var mayBeInaudible = false
    /// The address at which the program that takes the update has responded; nil before that.
    var receiverAddress: DeviceAddress?
    /// Why the device was restarted to begin again; nil once it has responded since.
    var repeating: UpdateFailure?
    var arrivals: [BootloaderLock.Arrival] = []
    /// The last result with an accepted image but an unchanged version text.
    var unchanged: VerifiedState?
    /// Whether the application has since reported another version text than before the update.
    var hasNewVersion = false

    init(_ procedure: any UpdateProcedure, entering entry: (any BootloaderEntry)?, _ setup: Setup) {
        (self.procedure, self.entry, self.setup) = (procedure, entry, setup)
        candidates =
            if let application = setup.earlierScan.silentApplication,
                setup.policy.choices.bootloader != nil || setup.earlierScan.isConfirmedBootloader
            {
                CandidateAddresses(application: application, bootloader: setup.address)
            } else {
                CandidateAddresses(selected: setup.address, of: procedure, others: [])
            }
        baseline.revision = setup.earlierScan.revision
        baseline.advertisedVersion = setup.earlierScan.version
    }

    /// The version that the result has to show; nil if unknown.
    var expectedVersion: ExpectedVersion? {
        setup.frames?.expected.map { ExpectedVersion(text: $0) } ?? procedure.expectedVersion
    }

    mutating func takeEffects() -> [UnitEffect] {
        defer { effects = [] }
        return effects
    }

    mutating func emit(_ effect: UnitEffect) { effects.append(effect) }

    mutating func report(_ event: UpdateEvent) { effects.append(.report(event)) }

    mutating func warn(_ code: FailureCode, _ words: String) { report(.warning(code, words)) }

    /// The next step after the outcome of the last one, at the time `now`.
    mutating func advance(after fact: UnitFact, at now: Duration) -> UnitStep {
        self.now = now
        do throws(UpdateFailure) {
            return try step(after: fact)
        } catch {
            if let step = repeatedActivation(after: error) { return step }
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

    /// The failure with the next step that the procedure advises in its present state, and with the unit's state.
    private func explained(_ failure: UpdateFailure) -> UpdateFailure {
        comparing(procedure.remedy(for: failure).map(failure.advising) ?? failure).leaving(deviceState)
    }

    mutating func change(to next: State, _ step: UnitStep) -> UnitStep {
        state = next
        return step
    }

    mutating func finish(_ result: Result<VerifiedState, UpdateFailure>) -> UnitStep {
        change(to: .over(result), .finish(result))
    }

    private mutating func step(after fact: UnitFact) throws(UpdateFailure) -> UnitStep {
        if case .over(let result) = state { return .finish(result) }
        if case .failed(let failure) = fact { throw failure }
        switch (state, fact) {
        case (.idle, .begun): return begin()
        case (.claiming, .claimed): return change(to: .awaitingFirstReport, .listen(until: .selection))
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
        case (.awaitingScanBeforeEntry(let address, let entryCharacteristic), .nearbyScan(let near)):
            return try enter(from: address, by: entryCharacteristic, near)
        case (.entering(let address), .entered(let handoff)):
            return disconnect(.handedOver(handoff, from: address))
        case (.updating, .updated(let result, let hasLeft)):
            return disconnect(.conversation(result, hasLeft: hasLeft))
        case (_, .disconnected(let outcome)): return try disconnected(outcome)
        case (.finding(let handoff, let address), .found(let verdict)):
            return try found(verdict, after: handoff, from: address)
        case (.resting, .rested): return nextLink()
        case (.verifying(let verifying), let fact): return try verify(verifying, fact)
        default:
            throw UpdateFailure(
                .system.internalError, during: "updating", message: "the outcome does not match the step")
        }
    }

    /// Records that the devices at these addresses are not the unit.
    mutating func note(_ heard: Set<DeviceAddress>) {
        others.formUnion(heard)
        candidates.remove(others)
    }

    /// Passes on what the application reports, with the source of its version text.
    func learn(_ facts: ApplicationFacts) {
        var facts = facts
        facts.versionSource = baseline.revision?.source
        setup.learn(facts)
    }

    private mutating func check(_ facts: ApplicationFacts) throws(UpdateFailure) {
        learn(facts)
        if let reason = facts.updateRefusal {
            throw UpdateFailure(
                .session.noDFUOnThisHardware, during: "asking the application",
                message: "\(setup.address) takes no updates over the air: \(reason)")
        }
        for notice in try procedure.check(facts) { emit(.notice(notice)) }
        try setup.inspect(facts)
    }
}

extension UnitUpdate {
    /// The state of the unit now; nil if nothing was done to it.
    var deviceState: DeviceState? {
        let effect = procedure.effectOnApplication
        guard entries > 0 || effect != nil else { return nil }
        let application = application(after: effect, seen.program)
        let mayReturn = seen.program != .application && (application == .intact || application == .unknown)
        return DeviceState(
            program: seen.program, address: seen.address ?? candidates.target, application: application,
            part: procedure.part,
            isUnfinished: application == .unknown && isUnfinished,
            returnsAfter: mayReturn ? procedure.inactivityLimit : nil)
    }

    /// Whether an application that takes the update itself cannot have got the whole image over any link. One that lists
    /// its images may install a marked image whenever it restarts.
    private var isUnfinished: Bool {
        procedure.targetSignature.isApplication && !procedure.targetSignature.namesImage
            && possibleCompletion == nil && !links.mayHaveCompleted
    }

    /// An observed program takes precedence over the predicted effect.
    private func application(
        after effect: DeviceState.Application?, _ program: DeviceState.Program
    ) -> DeviceState.Application {
        switch (effect, program) {
        case (nil, _): .intact
        case (.new, .application) where procedure.targetSignature.namesImage || hasNewVersion: .new
        // A confirmed image that does not run: the result is unknown. And a version text that is as before does not show
        // which application runs.
        case (.new, .bootloader), (.new, .application): .unknown
        // While the image is incomplete, a running application is the old one.
        case (_, .application) where !procedure.targetSignature.isApplication && possibleCompletion == nil:
            .intact
        case (let effect?, _): effect
        }
    }

}

/// A step that a unit's update requests from its driver, which responds to each with one `UnitFact`.
enum UnitStep: Sendable {
    /// Keep other programs from using an address until the update is over.
    case claim(DeviceAddress)
    /// Wait until the scan of the devices nearby fulfils a condition or ends.
    case listen(until: NearbyScan.ScanCondition)
    /// Scan until a device at one of these addresses is heard.
    case search(Set<DeviceAddress>, within: Duration)
    /// Connect and detect the program. The link stays up.
    case connect(DeviceAddress, ProbeOptions)
    /// Over the link: read the facts of the application; `version` is its version text, as far as known.
    case examine(version: String?)
    /// Over the link: run the dialogue `UnitUpdate.entry`. Other programs must not use these addresses, which the
    /// bootloader may have.
    case enter(from: DeviceAddress, claiming: Set<DeviceAddress>)
    case update(at: DeviceAddress)
    case disconnect
    /// Connect, detect the program without pairing, and disconnect.
    case probe(DeviceAddress, ProbeOptions)
    /// Scan for the bootloader until the lock has a verdict.
    case find(BootloaderLock, within: Duration)
    /// Scan for this time, and return the last report of each device.
    case scan(for: Duration)
    case rest(Duration)
    case finish(Result<VerifiedState, UpdateFailure>)
}

enum UnitFact: Sendable {
    case begun, claimed
    case nearbyScan(NearbyScan.State)
    /// The first report; nil on timeout.
    case heard(Advertisement?)
    case connected(Program)
    case examined(ApplicationFacts)
    case entered(BootloaderHandoff)
    /// How the update's conversation ended, and whether the device has ended the link.
    case updated(ConversationResult, hasLeft: Bool)
    /// The link has ended, in whatever step, or could not be established.
    case disconnected(LinkOutcome)
    case probed(ProbeResult)
    /// The verdict of the lock; nil on timeout.
    case found(BootloaderLock.Verdict?)
    /// The last report of each device.
    case scanned([Advertisement])
    case rested
    /// A failure that another link cannot fix.
    case failed(UpdateFailure)
}

enum UnitEffect: Sendable {
    case report(UpdateEvent)
    case notice(UpdateNotice)
    case log(String)
    /// The unit has responded over the link: the devices heard up to now are not the unit.
    case answered
    /// The unit is in its application, and keeps its address until it is told to leave.
    case inApplication
    /// Devices heard from now on may be the unit itself.
    case closeNearbyScan
}
