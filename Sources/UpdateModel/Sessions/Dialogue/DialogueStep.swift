/// The next step: notices to observers, and a command.
public struct DialogueStep<Ending: Sendable, Notice: Sendable>: Sendable {
    /// Facts to report before the command is carried out.
    public var notices: [Notice]
    public var command: DialogueCommand<Ending>
    /// What a slow response waits for: the link, or the device's flash.
    public var waitsFor: SpeedLimit
    /// Whether the response shows that the device has processed the packets before it.
    public var endsBlock: Bool

    public init(
        _ command: DialogueCommand<Ending>, notices: [Notice] = [], waitsFor: SpeedLimit = .answers,
        endsBlock: Bool = false
    ) {
        (self.command, self.notices) = (command, notices)
        (self.waitsFor, self.endsBlock) = (waitsFor, endsBlock)
    }

    /// The step, reported after `earlier` notices.
    package func after(_ earlier: [Notice]) -> DialogueStep {
        var step = self
        step.notices = earlier + notices
        return step
    }
}

extension DialogueStep: Equatable where Ending: Equatable, Notice: Equatable {}

/// The times of a command, as durations since any fixed moment.
public struct CommandTimes: Equatable, Sendable {
    public let started: Duration
    /// When the device had acknowledged the request and so all packets before it; nil for commands without a request.
    public let acknowledged: Duration?
    /// When its outcome was known.
    public let ended: Duration

    public init(started: Duration, acknowledged: Duration? = nil, ended: Duration) {
        (self.started, self.acknowledged, self.ended) = (started, acknowledged, ended)
    }
}

/// A conversation with a device over one or more consecutive links; a state machine without I/O or clock.
///
/// `begin` starts it on a new link, initially and after every lost link; the dialogue keeps what it has learned. A
/// `SessionRunner` carries it out.
public protocol Dialogue: Sendable {
    associatedtype Ending: Sendable
    associatedtype Notice: Sendable
    associatedtype Failure: Error

    /// The first step on a new link.
    mutating func begin(on link: LinkFacts) throws(Failure) -> DialogueStep<Ending, Notice>
    /// Reports the times of the last command; `advance` follows.
    mutating func note(_ times: CommandTimes)
    /// The step after the outcome of the last one.
    mutating func advance(after outcome: DialogueOutcome) throws(Failure) -> DialogueStep<Ending, Notice>
}

public struct LinkFacts: Equatable, Sendable {
    /// The largest number of bytes in a write without response.
    public let maximumWriteLength: Int

    public init(maximumWriteLength: Int) { self.maximumWriteLength = maximumWriteLength }
}
