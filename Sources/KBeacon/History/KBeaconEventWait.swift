public import Sessions

/// Waits for the next thing that a KBeacon tells because a trigger went off (kbeacon.md, Events).
public struct KBeaconEventWait: Dialogue {
    /// What it told; nil where it told nothing in time, or will from now on.
    public typealias Ending = KBeaconEvent?
    /// It says nothing on its way.
    public typealias Notice = Never
    /// Why it goes no further.
    public typealias Failure = SessionFailure

    private enum State: Equatable {
        case looking
        case subscribing
        case waiting
    }

    private let generation: KBeaconGeneration
    private let limit: Duration?
    private var state: State

    /// For `peer` to tell something within `limit`; without one `peer` is asked to tell things from now on, which has to be
    /// first.
    public init(for peer: KBeaconQuery.Peer, within limit: Duration?) {
        (generation, self.limit, state) = (peer.identity.generation, limit, .looking)
    }

    /// Asks it, or waits.
    public mutating func begin(on link: LinkFacts) -> DialogueStep<Ending, Never> {
        guard let limit else { return DialogueStep(.find(KBeaconService.events)) }
        state = .waiting
        return DialogueStep(.expect(from: KBeaconService.events, within: limit))
    }

    /// Nothing depends on how long things take.
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
                .notSupported, during: "listening", "the beacon tells nothing of its triggers")
        case (.waiting, .value(let bytes)): return DialogueStep(.end(KBeaconEvent(bytes, of: generation)))
        default: return DialogueStep(.end(nil))
        }
    }
}
