public import UpdateModel

/// The upgrade of an open device with an open container, as a value type (fbeacon.md, Upgrade).
///
/// Rules; all transitions are in this type:
/// 1. Nothing is written before the device has shown that it accepts open containers (``OpenMark``).
/// 2. There is no resume: whatever ends a transfer, the next one begins with the first block.
/// 3. Answers have no sequence number. One that arrives sooner than possible, or while several are outstanding,
/// is held back until another one or silence decides; remaining doubts are decided by the version that runs at
/// the end.
/// 4. A device that acknowledges the end has not confirmed the update: only its version does.
public struct FBeaconUpgrade: IdentifyingProcedure {
    enum State: Equatable, Sendable {
        case idle
        case readingMark
        case identifying
        case subscribing
        case entering
        /// Waiting for the device to request the first block; the remaining number of polls.
        case opening(polls: Int)
        case sending
        case awaiting
        /// Further refusals of the same packet may follow.
        case draining
        /// Further answers to the previous block may follow.
        case sweeping
        case ending
        /// CAN was sent this many times.
        case cancelling(UpdateFailure?, sent: Int)
        /// Waiting for the device to confirm it.
        case confirming(UpdateFailure?)
        case finished
    }

    /// The progress of the update.
    enum Stage: Equatable, Sendable {
        /// Nothing was sent to the device yet.
        case fresh
        /// It was told to enter an upgrade.
        case entered
        /// The first block was sent.
        case begun
        /// It was told that the transfer is complete.
        case ended
        /// It has acknowledged the end.
        case acknowledged
    }

    let container: OpenContainer
    let preferences: FBeaconPreferences
    var state = State.idle
    var stage = Stage.fresh
    var link = LinkState()
    var attempt = AttemptState()
    /// The device's reply when it was last entered.
    var reply: UpgradeReply?
    /// The device already had the new version: then the version does not confirm the update.
    var hadVersion = false
    var entries = 0
    /// Transfers that were given up and repeated.
    var restarts = 0
    /// When the last command began and ended, if it did.
    var times: CommandTimes?

    /// Authentication, before the device is told to enter; nil if none is needed.
    public var identityQuery: (any IdentityQuery)?
    /// The device's facts from its first authentication.
    public var identified: ApplicationFacts?
    /// The application accepts the update, whichever program performs it.
    public var receiver = Receiver.application

    /// The update to `container`.
    public init(_ container: OpenContainer, _ preferences: FBeaconPreferences = FBeaconPreferences()) {
        (self.container, self.preferences) = (container, preferences)
    }

    /// The number of firmware bytes to send, in the mode that the device has requested.
    public var total: Int { max(container.payload.count - (attempt.mode?.skipped ?? 0), 0) }

    /// Reads the mark.
    public mutating func begin(on link: LinkFacts) -> UpdateStep {
        self.link = LinkState(maximumWriteLength: max(link.maximumWriteLength, 1))
        guard stage != .acknowledged else { return finish() }
        // A device that was entered may request the first block.
        if attempt.mode != nil || entries > 0 && attempt.pollsOnLink == 0 {
            attempt = AttemptState(pollsOnLink: Self.pollsInDoubt)
        }
        state = .readingMark
        return UpdateStep(.read(FBeaconService.openMark), notices: [.phase(.preparing)])
    }

    /// The duration of the last command: an answer may arrive too soon.
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
                .unexpectedAnswer, during: "updating", message: "unexpected data in state \(state)")
        }
    }
}
