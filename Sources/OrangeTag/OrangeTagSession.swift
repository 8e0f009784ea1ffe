public import BluetoothTypes
public import Sessions

/// How Orange Beacon Tags are spoken to (orange-beacon-tag.md): over characteristics that are read and written, without a
/// password, for a while after a press of their button.
public struct OrangeTagSession: SessionKind {
    /// Sessions with tags.
    public init() {}

    /// Each write is acknowledged; nothing else sets a pace.
    public var leastInterval: Duration { .zero }
    /// Whether it is a tag.
    public func opening(to address: DeviceAddress) -> OrangeTagOpening { OrangeTagOpening() }
}

/// Finds out whether a beacon is a tag, and which firmware it has.
public struct OrangeTagOpening: Dialogue {
    /// The firmware revision, where the tag tells it.
    public typealias Ending = OrangeTagFacts
    /// It says nothing on its way.
    public typealias Notice = Never
    /// Why it goes no further.
    public typealias Failure = SessionFailure

    private var hasFound = false

    init() {}

    /// Looks for the tag's UUID.
    public mutating func begin(on link: LinkFacts) -> DialogueStep<OrangeTagFacts, Never> {
        hasFound = false
        return DialogueStep(.find(OrangeTagValue.uuid.characteristic))
    }

    /// Time does not matter.
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
                .notOffered, during: "opening the session",
                "it is no Orange Beacon Tag: it has no such service")
        }
    }
}

/// What a tag says of itself beside its settings.
public struct OrangeTagFacts: Equatable, Sendable {
    /// The firmware revision; nil where it tells none.
    public let firmware: String?

    /// A tag with this firmware.
    public init(firmware: String?) { self.firmware = firmware }
}
