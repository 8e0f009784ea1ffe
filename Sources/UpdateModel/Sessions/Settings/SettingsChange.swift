/// Applies settings to a device: reads, writes what differs, and reads again.
public struct SettingsChange<Settings: DeviceSettings>: SessionDialogue {
    /// The changes made; empty if the device had all of the settings.
    public typealias Ending = [SettingDifference<Settings.Path>]

    private enum Stage {
        /// `after` has the changes that were written before; nil if nothing was written.
        case reading(Settings.Reading, after: Ending?)
        case writing(Settings.Writing, Ending)
    }

    private let wanted: Settings
    private let peer: Settings.Peer
    private let permitted: Set<LockOut>
    private var link = LinkFacts(maximumWriteLength: 20)
    private var stage: Stage

    /// Applies `wanted` to `peer`, whose session is open. Refuses settings that make it inaccessible in a way that is not
    /// `permitted`.
    public init(to wanted: Settings, permitting permitted: Set<LockOut> = [], of peer: Settings.Peer) {
        (self.wanted, self.peer, self.permitted) = (wanted, peer, permitted)
        stage = .reading(Settings.reading(of: peer), after: nil)
    }

    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> Step {
        try wanted.check(against: peer)
        self.link = link
        return try read(after: nil)
    }

    public mutating func note(_ times: CommandTimes) {
        switch stage {
        case .reading(var reading, let changes):
            reading.note(times)
            stage = .reading(reading, after: changes)
        case .writing(var writing, let changes):
            writing.note(times)
            stage = .writing(writing, changes)
        }
    }

    public mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        switch stage {
        case .reading(var reading, let changes):
            let step = try reading.advance(after: outcome)
            stage = .reading(reading, after: changes)
            return try compared(step, after: changes)
        case .writing(var writing, let changes):
            let step = try writing.advance(after: outcome)
            stage = .writing(writing, changes)
            return try written(step, changes)
        }
    }

    /// Adds to `failure` which settings were or may have been written.
    public func completing(_ failure: SessionFailure) -> SessionFailure {
        switch stage {
        case .reading(_, after: let changes?) where failure.code != .session.settingsNotTaken:
            return failure.adding(
                "the beacon accepted new values, which were not verified: \(Self.names(changes))",
                remedy: failure.mayReconnect ? nil : Self.again)
        // A refusal reports itself what was accepted before.
        case .writing(_, let changes) where !failure.code.isRefusal:
            return failure.adding(
                "settings may have been written: \(Self.names(changes))",
                remedy: failure.code == .system.interrupted ? Self.again : nil)
        case .reading, .writing: return failure
        }
    }

    private static var again: Advice { "run the same command again: it writes only settings that differ" }

    private static func names(_ changes: Ending) -> String {
        changes.map(\.path.description).joined(separator: ", ")
    }

    private mutating func read(after changes: Ending?) throws(SessionFailure) -> Step {
        var reading = Settings.reading(of: peer)
        let step = try reading.begin(on: link)
        stage = .reading(reading, after: changes)
        return try compared(step, after: changes)
    }

    private mutating func compared(
        _ step: Settings.Reading.Step, after changes: Ending?
    ) throws(SessionFailure) -> Step {
        try step.asPart { (found) throws(SessionFailure) in
            let missing = wanted.differences(from: found)
            guard !missing.isEmpty else { return Step(.end(changes ?? [])) }
            guard changes == nil else {
                throw SessionFailure(
                    .session.settingsNotTaken, during: "reading the settings again",
                    missing.map(\.description).joined(separator: "; "))
            }
            return try write(missing, to: found)
        }
    }

    private mutating func write(_ changes: Ending, to found: Settings) throws(SessionFailure) -> Step {
        try wanted.check(changes, to: found, of: peer)
        let lockOuts = wanted.lockOuts(of: found).filter { !permitted.contains($0) }
        guard lockOuts.isEmpty else {
            throw SessionFailure(
                .session.locksBeaconAway, during: "comparing the settings",
                "with these settings the beacon is " + lockOuts.map(\.rawValue).joined(separator: " and "))
        }
        var writing = Settings.writing(changes, to: found, of: peer)
        let step = try writing.begin(on: link)
        stage = .writing(writing, changes)
        return try written(step, changes)
    }

    private mutating func written(
        _ step: Settings.Writing.Step, _ changes: Ending
    ) throws(SessionFailure) -> Step {
        try step.asPart { (_) throws(SessionFailure) in try read(after: changes) }
    }
}

/// A reason why a device could no longer be found or connected.
public enum LockOut: String, CaseIterable, Sendable {
    /// None of its advertisements is connectable.
    case notConnectable = "not-connectable"
    /// It does not start to advertise by itself, or not after its battery was changed.
    case alwaysOff = "always-off"
    /// All three channels of one of its advertisements are off.
    case allChannelsOff = "all-channels-off"
    /// Its connectable advertisements use only long range or extended advertising, which many adapters do not receive.
    case noLegacyAdverts = "no-legacy-adverts"
}
