/// What is said to a device over one link after another, as a value that does no I/O and owns no clock.
///
/// `begin` starts it on a new link, at first and again after every lost one; it keeps what it has learned. A
/// `SessionRunner` carries it out.
public protocol Dialogue: Sendable {
    /// What a dialogue comes to when nothing has failed.
    associatedtype Ending: Sendable
    /// What it lets observers know.
    associatedtype Notice: Sendable
    /// Why it goes no further.
    associatedtype Failure: Error

    /// The first step on a new link.
    mutating func begin(on link: LinkFacts) throws(Failure) -> DialogueStep<Ending, Notice>
    /// The last command was carried out, in the given time; `advance` follows.
    mutating func note(_ times: CommandTimes)
    /// The step that follows from the outcome of the last one.
    mutating func advance(after outcome: DialogueOutcome) throws(Failure) -> DialogueStep<Ending, Notice>
}

/// What a dialogue has to know of the link it is held over.
public struct LinkFacts: Equatable, Sendable {
    /// The most bytes that one write without response carries.
    public let maximumWriteLength: Int

    /// A link with the given limit.
    public init(maximumWriteLength: Int) {
        self.maximumWriteLength = maximumWriteLength
    }
}
