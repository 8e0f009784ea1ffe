public import Bluetooth
public import UpdateModel

/// Sessions with Orange Beacon Tags (orange-beacon-tag.md): reading and writing characteristics, without a
/// password, for a limited time after their button was pressed.
public struct OrangeTagSession: SessionKind {
    /// Sessions with tags.
    public init() {}

    /// Each write is acknowledged; no other pause is needed.
    public var leastInterval: Duration { .zero }
    /// Checks whether it is a tag.
    public func opening(to address: DeviceAddress) -> OrangeTagOpening { OrangeTagOpening() }
}

/// Finds out whether a beacon is a tag, and reads its firmware version.
public struct OrangeTagOpening: Dialogue {
    /// The firmware revision, if the tag reports it.
    public typealias Ending = OrangeTagFacts
    /// It sends no notices.
    public typealias Notice = Never
    /// Why it fails.
    public typealias Failure = SessionFailure

    private var hasFound = false

    init() {}

    /// Looks for the tag's UUID.
    public mutating func begin(on link: LinkFacts) -> DialogueStep<OrangeTagFacts, Never> {
        hasFound = false
        return DialogueStep(.find(OrangeTagValue.uuid.characteristic))
    }

    /// No time limit depends on it.
    public mutating func note(_ times: CommandTimes) {}

    /// The step that follows from the outcome of the last one.
    public mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<OrangeTagFacts, Never> {
        switch outcome {
        case .done where !hasFound:
            hasFound = true
            return DialogueStep(.readIfAllowed(OrangeTagService.firmwareRevision))
        case .value(let text) where hasFound:
            let words = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
            return DialogueStep(.end(OrangeTagFacts(firmware: words.isEmpty ? nil : words)))
        case .absent where hasFound: return DialogueStep(.end(OrangeTagFacts(firmware: nil)))
        default:
            throw SessionFailure(
                .session.notOffered, during: "opening the session",
                "not an Orange Beacon Tag: its service is missing")
        }
    }
}

/// The facts about a tag, without its settings.
public struct OrangeTagFacts: Equatable, Sendable {
    /// The firmware revision; nil if it reports none.
    public let firmware: String?

    /// A tag with this firmware.
    public init(firmware: String?) { self.firmware = firmware }
}
