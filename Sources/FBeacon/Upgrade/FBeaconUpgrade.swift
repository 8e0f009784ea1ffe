public import Sessions
public import UpdateCore

/// The upgrade of an open device with an open container, as a value (fbeacon.md, Upgrade).
///
/// Rules, all transitions are in this type:
/// 1. Nothing is written before the device has shown that it takes open containers (``OpenMark``).
/// 2. There is no resume: whatever ends a transfer, the next one begins with the first block.
/// 3. An answer has no number. One that comes sooner than it can, or while more than one was asked for, is held back until
///    another one or silence decides; whatever remains is decided by the version that runs in the end.
/// 4. A device that has taken the end has proven nothing: its version does.
public struct FBeaconUpgrade: IdentifyingProcedure {
    enum State: Equatable, Sendable {
        case idle
        case readingMark
        case identifying
        case subscribing
        case entering
        /// The device has to ask for the first block, so often yet.
        case opening(polls: Int)
        case sending
        case awaiting
        /// More refusals of the same packet may follow.
        case draining
        /// More answers to the block before may follow.
        case sweeping
        case ending
        /// CAN was sent so often.
        case cancelling(UpdateFailure?, sent: Int)
        /// The device may say so.
        case confirming(UpdateFailure?)
        case finished
    }

    /// How far the update has come.
    enum Stage: Equatable, Sendable {
        /// The device was told nothing yet.
        case fresh
        /// It was told to enter an upgrade.
        case entered
        /// The first block has left.
        case begun
        /// It was told that this was all.
        case ended
        /// It has acknowledged that.
        case acknowledged
    }

    let container: OpenContainer
    let preferences: FBeaconPreferences
    var state = State.idle
    var stage = Stage.fresh
    var link = LinkState()
    var attempt = AttemptState()
    /// What the device said when it was entered last.
    var reply: UpgradeReply?
    /// The device had the new version before: then that proves nothing after it.
    var hadVersion = false
    var entries = 0
    /// Transfers that were given up and made again.
    var restarts = 0
    /// When the last command began and ended, where it has.
    var times: CommandTimes?

    /// What lets us in, before the device is told to enter; nil where nobody has to.
    public var identityQuery: (any IdentityQuery)?
    /// What the device has said when it let us in first.
    public var identified: ApplicationFacts?
    /// The application takes the update, whichever program carries it out.
    public var receiver = Receiver.application

    /// The update to what `container` has.
    public init(_ container: OpenContainer, _ preferences: FBeaconPreferences = FBeaconPreferences()) {
        (self.container, self.preferences) = (container, preferences)
    }

    /// How many bytes of firmware will be sent, by what the device has asked for.
    public var total: Int { max(container.payload.count - (attempt.mode?.skipped ?? 0), 0) }

    /// Reads the mark.
    public mutating func begin(on link: LinkFacts) -> UpdateStep {
        self.link = LinkState(maximumWriteLength: max(link.maximumWriteLength, 1))
        guard stage != .acknowledged else { return finish() }
        // One that was entered may ask for the first block.
        if attempt.mode != nil || entries > 0 && attempt.pollsOnLink == 0 {
            attempt = AttemptState(pollsOnLink: Self.pollsInDoubt)
        }
        state = .readingMark
        return UpdateStep(.read(FBeaconService.openMark), notices: [.phase(.preparing)])
    }

    /// How long the last command took: an answer may come too soon.
    public mutating func note(_ times: CommandTimes) {
        self.times = times
        if state == .identifying { identityQuery?.note(times) }
    }

    /// The step that follows from the outcome of the last one.
    public mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> UpdateStep {
        defer { times = nil }
        switch (state, outcome) {
        case (.readingMark, .value(let bytes)): return try learn(OpenMark(value: bytes))
        case (.readingMark, .absent): return try learn(nil)
        case (.identifying, let outcome): return try identified(outcome)
        case (.subscribing, .done): return try subscribed()
        case (.entering, .value(let bytes)): return try hear(bytes)
        case (.entering, .timedOut): throw noReply
        case (.opening(let polls), .value(let bytes)): return try opened(by: ControlByte(bytes), polls)
        case (.opening(let polls), .timedOut): return try poll(polls - 1)
        case (.sending, .done): return hasSent()
        case (.awaiting, .value(let bytes)): return answered(ControlByte(bytes))
        case (.awaiting, .timedOut): return unanswered()
        case (.draining, .value(let bytes)): return drained(ControlByte(bytes))
        case (.draining, .timedOut): return sendAgain(isRefused: true)
        case (.sweeping, .value(let bytes)): return swept(ControlByte(bytes))
        case (.sweeping, .timedOut): return goOn()
        case (.ending, .value(let bytes)): return ended(ControlByte(bytes))
        case (.ending, .timedOut): return endAgain()
        case (.cancelling(let failure, let sent), let outcome):
            return try cancelled(failure, sent, outcome)
        case (.confirming(let failure), _): return try cancelled(failure)
        default:
            throw UpdateFailure(
                .unexpectedAnswer, during: "updating", message: "what came does not belong to \(state)")
        }
    }
}
