/// What comes next: what observers should know first, and what has to be done.
public struct DialogueStep<Ending: Sendable, Notice: Sendable>: Sendable {
    /// Facts to report before the command is carried out.
    public var notices: [Notice]
    /// What to do.
    public var command: DialogueCommand<Ending>
    /// What an answer that takes its time is waited for: the link, or the device's flash.
    public var waitsFor: SpeedLimit
    /// Whether the answer that is waited for says that the device has done with the packets before it.
    public var endsBlock: Bool

    /// `command`, after `notices` were reported.
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

/// When a command was carried out, as durations since any fixed moment.
public struct CommandTimes: Equatable, Sendable {
    /// It began.
    public let started: Duration
    /// The device had its request, and all packets before it; nil for commands without a request.
    public let acknowledged: Duration?
    /// Its outcome was there.
    public let ended: Duration

    /// A command with the given times.
    public init(started: Duration, acknowledged: Duration? = nil, ended: Duration) {
        self.started = started
        self.acknowledged = acknowledged
        self.ended = ended
    }
}
