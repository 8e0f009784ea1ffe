/// The next step: notices to observers, and a command.
public struct DialogueStep<Ending: Sendable, Notice: Sendable>: Sendable {
    /// Facts to report before the command is carried out.
    public var notices: [Notice]
    /// The command.
    public var command: DialogueCommand<Ending>
    /// What a slow response waits for: the link, or the device's flash.
    public var waitsFor: SpeedLimit
    /// Whether the response shows that the device has processed the packets before it.
    public var endsBlock: Bool

    /// `command`, after `notices`.
    public init(
        _ command: DialogueCommand<Ending>, notices: [Notice] = [], waitsFor: SpeedLimit = .answers,
        endsBlock: Bool = false
    ) {
        self.command = command
        self.notices = notices
        self.waitsFor = waitsFor
        self.endsBlock = endsBlock
    }
}

extension DialogueStep: Equatable where Ending: Equatable, Notice: Equatable {}

/// The times of a command, as durations since any fixed moment.
public struct CommandTimes: Equatable, Sendable {
    /// When it began.
    public let started: Duration
    /// When the device had its request and all packets before it; nil for commands without a request.
    public let acknowledged: Duration?
    /// When its outcome was known.
    public let ended: Duration

    /// A command with the given times.
    public init(started: Duration, acknowledged: Duration? = nil, ended: Duration) {
        self.started = started
        self.acknowledged = acknowledged
        self.ended = ended
    }
}
