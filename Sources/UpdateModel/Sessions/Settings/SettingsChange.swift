/// Applies settings to a device: reads, writes what differs, and reads again.
public struct SettingsChange<Settings: DeviceSettings>: Dialogue {
    /// The changes made; empty if the device had all of the settings.
    public typealias Ending = [SettingDifference<Settings.Path>]
    public typealias Notice = Never
    public typealias Failure = SessionFailure

    private enum Stage {
        case reading(Settings.Reading)
        case writing(Settings.Writing, Ending)
        case proving(Settings.Reading, Ending)
    }

    private let wanted: Settings
    private let peer: Settings.Peer
    private let permitted: Set<LockOut>
    private var link = LinkFacts(maximumWriteLength: 20)
    private var stage: Stage

    /// Applies `wanted` to `peer`, whose session is open, even if that makes it inaccessible in a way that is
    /// `permitted`.
    public init(to wanted: Settings, permitting permitted: Set<LockOut> = [], of peer: Settings.Peer) {
        (self.wanted, self.peer, self.permitted) = (wanted, peer, permitted)
        stage = .reading(Settings.reading(of: peer))
    }

    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        try wanted.check(against: peer)
        self.link = link
        var reading = Settings.reading(of: peer)
        let step = try reading.begin(on: link)
        stage = .reading(reading)
        return try found(step)
    }

    public mutating func note(_ times: CommandTimes) {
        switch stage {
        case .reading(var reading):
            reading.note(times)
            stage = .reading(reading)
        case .writing(var writing, let changes):
            writing.note(times)
            stage = .writing(writing, changes)
        case .proving(var reading, let changes):
            reading.note(times)
            stage = .proving(reading, changes)
        }
    }

    public mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        switch stage {
        case .reading(var reading):
            let step = try reading.advance(after: outcome)
            stage = .reading(reading)
            return try found(step)
        case .writing(var writing, let changes):
            let step = try writing.advance(after: outcome)
            stage = .writing(writing, changes)
            return try written(step, changes)
        case .proving(var reading, let changes):
            let step = try reading.advance(after: outcome)
            stage = .proving(reading, changes)
            return try proven(step, changes)
        }
    }

    private mutating func found(
        _ step: DialogueStep<Settings, Never>
    ) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        DialogueStep(
            try step.command.asPart { (found) throws(SessionFailure) in
                let changes = wanted.differences(from: found)
                guard !changes.isEmpty else { return .end([]) }
                try wanted.check(changes, to: found, of: peer)
                let lockOuts = wanted.lockOuts(of: found).filter { !permitted.contains($0) }
                guard lockOuts.isEmpty else {
                    throw SessionFailure(
                        .session.locksBeaconAway, during: "comparing the settings",
                        "with these settings the beacon is "
                            + lockOuts.map(\.rawValue).joined(separator: " and "))
                }
                var writing = Settings.writing(changes, to: found, of: peer)
                let step = try writing.begin(on: link)
                stage = .writing(writing, changes)
                return try written(step, changes).command
            })
    }

    private mutating func written(
        _ step: DialogueStep<Settings.Writing.Ending, Never>, _ changes: Ending
    ) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        DialogueStep(
            try step.command.asPart { (_) throws(SessionFailure) in
                var reading = Settings.reading(of: peer)
                let step = try reading.begin(on: link)
                stage = .proving(reading, changes)
                return try proven(step, changes).command
            })
    }

    private func proven(
        _ step: DialogueStep<Settings, Never>, _ changes: Ending
    ) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        DialogueStep(
            try step.command.asPart { (found) throws(SessionFailure) in
                let rest = wanted.differences(from: found)
                guard rest.isEmpty else {
                    throw SessionFailure(
                        .session.settingsNotTaken, during: "reading the settings again",
                        rest.map(\.description).joined(separator: "; "))
                }
                return .end(changes)
            })
    }
}

/// A reason why a device could no longer be found or connected.
public enum LockOut: String, CaseIterable, Sendable {
    /// None of its advertisements is connectable.
    case notConnectable = "not-connectable"
    /// It does not advertise by itself, or not after a change of its battery.
    case alwaysOff = "always-off"
    /// All three channels of one of its advertisements are off.
    case allChannelsOff = "all-channels-off"
    /// Its connectable advertisements use only long range or extended advertising, which many adapters do not
    /// receive.
    case noLegacyAdverts = "no-legacy-adverts"
}
