/// A conversation with a device over one or more consecutive links; a state machine without I/O or clock.
///
/// `begin` starts it on a new link, initially and after every lost one; it keeps what it has learned. A
/// `SessionRunner` carries it out.
public protocol Dialogue: Sendable {
    /// The result of a dialogue without a failure.
    associatedtype Ending: Sendable
    /// A notice to observers.
    associatedtype Notice: Sendable
    /// Why it failed.
    associatedtype Failure: Error

    /// The first step on a new link.
    mutating func begin(on link: LinkFacts) throws(Failure) -> DialogueStep<Ending, Notice>
    /// Reports the times of the last command; `advance` follows.
    mutating func note(_ times: CommandTimes)
    /// The step after the outcome of the last one.
    mutating func advance(after outcome: DialogueOutcome) throws(Failure) -> DialogueStep<Ending, Notice>
}

/// Facts about the link of a dialogue.
public struct LinkFacts: Equatable, Sendable {
    /// The largest number of bytes in a write without response.
    public let maximumWriteLength: Int

    /// A link with this limit.
    public init(maximumWriteLength: Int) {
        self.maximumWriteLength = maximumWriteLength
    }
}
