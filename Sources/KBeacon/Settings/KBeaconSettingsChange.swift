public import Sessions

/// Brings a KBeacon to the settings that it should have: reads, writes what differs, and reads again.
public struct KBeaconSettingsChange: Dialogue {
    /// What was changed; nothing where the beacon had all of it.
    public typealias Ending = [KBeaconSettings.Difference]
    /// It says nothing on its way.
    public typealias Notice = Never
    /// Why it goes no further.
    public typealias Failure = SessionFailure

    private enum Stage {
        case reading(KBeaconSettingsReading)
        case writing(KBeaconExchanges, [KBeaconSettings.Difference])
        case proving(KBeaconSettingsReading, [KBeaconSettings.Difference])
    }

    private let wanted: KBeaconSettings
    private let peer: KBeaconIntroduction.Peer
    private let permitted: Set<KBeaconSettings.LockOut>
    private var stage: Stage

    /// Brings `peer`, whose session is open, to `wanted`, even where that locks it away as `permitted`.
    public init(
        to wanted: KBeaconSettings, permitting permitted: Set<KBeaconSettings.LockOut> = [],
        of peer: KBeaconIntroduction.Peer
    ) {
        (self.wanted, self.peer, self.permitted) = (wanted, peer, permitted)
        stage = .reading(KBeaconSettingsReading(of: peer))
    }

    /// The first question.
    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        try wanted.check(against: peer.identity)
        var reading = KBeaconSettingsReading(of: peer)
        let step = try reading.begin()
        stage = .reading(reading)
        return try found(step)
    }

    /// What is under way counts its time.
    public mutating func note(_ times: CommandTimes) {
        switch stage {
        case .reading(var reading):
            reading.note(times)
            stage = .reading(reading)
        case .writing(var exchanges, let changes):
            exchanges.note(times)
            stage = .writing(exchanges, changes)
        case .proving(var reading, let changes):
            reading.note(times)
            stage = .proving(reading, changes)
        }
    }

    /// The step that follows from the outcome of the last one.
    public mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        switch stage {
        case .reading(var reading):
            let step = try reading.advance(after: outcome)
            stage = .reading(reading)
            return try found(step)
        case .writing(var exchanges, let changes):
            let step = try exchanges.advance(after: outcome)
            stage = .writing(exchanges, changes)
            return try written(step, changes)
        case .proving(var reading, let changes):
            let step = try reading.advance(after: outcome)
            stage = .proving(reading, changes)
            return try proven(step, changes)
        }
    }

    private mutating func found(
        _ step: DialogueStep<KBeaconSettings, Never>
    ) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        DialogueStep(
            try step.command.asPart { (found) throws(SessionFailure) in
                let changes = wanted.differences(from: found)
                guard !changes.isEmpty else { return .end([]) }
                let lockOuts = wanted.lockOuts(of: found).filter { !permitted.contains($0) }
                guard lockOuts.isEmpty else {
                    throw SessionFailure(
                        .locksAway, during: "comparing the settings",
                        "with these settings the beacon is "
                            + lockOuts.map(\.rawValue).joined(separator: " and "))
                }
                var exchanges = KBeaconExchanges(writing: changes, to: found, of: peer)
                let step = try exchanges.begin()
                stage = .writing(exchanges, changes)
                return try written(step, changes).command
            })
    }

    private mutating func written(
        _ step: DialogueStep<[[UInt8]?], Never>, _ changes: [KBeaconSettings.Difference]
    ) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        DialogueStep(
            try step.command.asPart { (_) throws(SessionFailure) in
                var reading = KBeaconSettingsReading(of: peer)
                let step = try reading.begin()
                stage = .proving(reading, changes)
                return try proven(step, changes).command
            })
    }

    private func proven(
        _ step: DialogueStep<KBeaconSettings, Never>, _ changes: [KBeaconSettings.Difference]
    ) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        DialogueStep(
            try step.command.asPart { (found) throws(SessionFailure) in
                let rest = wanted.differences(from: found)
                guard rest.isEmpty else {
                    throw SessionFailure(
                        .settingsNotTaken, during: "reading the settings again",
                        rest.map(\.description).joined(separator: "; "))
                }
                return .end(changes)
            })
    }
}
