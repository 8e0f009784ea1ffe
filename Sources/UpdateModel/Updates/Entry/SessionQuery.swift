public import Bluetooth

/// Opens the session of an application and reads its facts, before and after an update, and optionally its settings.
public struct SessionQuery<Opening: SessionDialogue, Settings: DeviceSettings>: IdentityQuery
where Opening.Ending == Settings.Peer {
    public typealias Ending = ApplicationFacts

    private enum Stage {
        case opening(Opening)
        case reading(Settings.Reading, ApplicationFacts)
    }

    public let leastInterval: Duration
    private let opening: Opening
    private let readsSettings: Bool
    private let facts: @Sendable (Settings.Peer) -> ApplicationFacts
    private var link = LinkFacts(maximumWriteLength: 20)
    private var stage: Stage

    /// `facts` converts the result of `opening`; with `readsSettings`, the settings of an application that takes
    /// updates are read as well.
    public init(
        by opening: Opening, pausing leastInterval: Duration, readingSettings readsSettings: Bool,
        _ facts: @escaping @Sendable (Settings.Peer) -> ApplicationFacts
    ) {
        (self.opening, self.leastInterval, self.readsSettings) = (opening, leastInterval, readsSettings)
        self.facts = facts
        stage = .opening(opening)
    }

    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> Step {
        var opening = opening
        let step = try opening.begin(on: link)
        (self.link, stage) = (link, .opening(opening))
        return try opened(step)
    }

    public mutating func note(_ times: CommandTimes) {
        switch stage {
        case .opening(var opening):
            opening.note(times)
            stage = .opening(opening)
        case .reading(var reading, let facts):
            reading.note(times)
            stage = .reading(reading, facts)
        }
    }

    public mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        switch stage {
        case .opening(var opening):
            let step = try opening.advance(after: outcome)
            stage = .opening(opening)
            return try opened(step)
        case .reading(var reading, let facts):
            // An update does not fail if settings cannot be read.
            guard let step = try? reading.advance(after: outcome) else { return Step(.end(facts)) }
            stage = .reading(reading, facts)
            return read(step, facts)
        }
    }

    private mutating func opened(_ step: Opening.Step) throws(SessionFailure) -> Step {
        try step.asPart { (peer) throws(SessionFailure) in
            var facts = facts(peer)
            guard readsSettings, facts.updateRefusal == nil else { return Step(.end(facts)) }
            facts.settings = ReportedSettings()
            var reading = Settings.reading(of: peer)
            let step = try reading.begin(on: link)
            stage = .reading(reading, facts)
            return read(step, facts)
        }
    }

    private func read(_ step: Settings.Reading.Step, _ facts: ApplicationFacts) -> Step {
        step.asPart { settings in
            var facts = facts
            facts.settings = ReportedSettings(settings)
            return Step(.end(facts))
        }
    }
}

/// The identity query for an application that reveals its identity only in a session: run over a link before anything
/// is changed, and again after the update.
///
/// Its facts replace those of Device Information. The session stays open after it, so that the application can be told
/// in the session to start its bootloader.
public protocol IdentityQuery: SessionDialogue where Ending == ApplicationFacts {
    /// The shortest time between two writes.
    var leastInterval: Duration { get }
}

/// Makes the identity query for the application at an address, given its primary services if they were listed; nil if
/// its facts are readable without a session. Throws if the query must not be tried.
public typealias IdentityQueryFactory =
    @Sendable (DeviceAddress, [BluetoothUUID]?) throws(SessionFailure) -> (any IdentityQuery)?

/// An update that runs the identity query within its own conversation: before any other request, and not on links
/// that the device opens only for the transfer.
public protocol IdentifyingProcedure: UpdateProcedure {
    /// The identity query; nil if none is needed. Set before `begin` on each link.
    var identityQuery: (any IdentityQuery)? { get set }
    /// The facts that the application first reported; nil before that.
    var identified: ApplicationFacts? { get }
}
