public import UpdateModel

/// Waits for the next trigger event of a KBeacon (kbeacon.md, Events).
public struct KBeaconEventWait: Dialogue {
    /// The event; nil if there was none in time, or after enabling the events.
    public typealias Ending = KBeaconEvent?
    /// It sends no notices.
    public typealias Notice = Never
    /// Why it fails.
    public typealias Failure = SessionFailure

    private enum State: Equatable {
        case looking
        case subscribing
        case waiting
    }

    private let generation: KBeaconGeneration
    private let limit: Duration?
    private var state: State

    /// Waits `limit` for an event of `peer`; without a limit it enables events on `peer`, which has to happen first.
    public init(for peer: KBeaconQuery.Peer, within limit: Duration?) {
        (generation, self.limit, state) = (peer.identity.generation, limit, .looking)
    }

    /// Enables events, or waits.
    public mutating func begin(on link: LinkFacts) -> DialogueStep<Ending, Never> {
        guard let limit else { return DialogueStep(.find(KBeaconService.events)) }
        state = .waiting
        return DialogueStep(.expect(from: KBeaconService.events, within: limit))
    }

    /// No time limit depends on it.
    public mutating func note(_ times: CommandTimes) {}

    /// The step that follows from the outcome of the last one.
    public mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        switch (state, outcome) {
        case (.looking, .done):
            state = .subscribing
            return DialogueStep(.subscribe(KBeaconService.events))
        case (.looking, _):
            throw SessionFailure(
                .notSupported, during: "listening", "the beacon does not report trigger events")
        case (.waiting, .value(let bytes)): return DialogueStep(.end(KBeaconEvent(bytes, of: generation)))
        default: return DialogueStep(.end(nil))
        }
    }
}
