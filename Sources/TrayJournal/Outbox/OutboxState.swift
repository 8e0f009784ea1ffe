/// How far something has come that others have to learn.
public enum OutboxState: String, CaseIterable, Codable, Sendable {
    /// It has not been sent, or not so that it was understood; it is next when its time has come.
    case waiting
    /// It was sent, and nobody knows what became of it: it is sent again.
    case sent
    /// It was taken.
    case acknowledged
    /// It was refused for good, and set aside: others go past it.
    case refused
    /// A person has decided that it is not sent.
    case dropped

    /// Whether it still has to be sent.
    public var isOpen: Bool { self == .waiting || self == .sent }
}
