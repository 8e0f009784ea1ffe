/// The delivery state of an entry.
public enum OutboxState: String, CaseIterable, Codable, Sendable {
    /// It has not been sent, or no receiver has understood it; it is sent when it is due.
    case waiting
    /// It was sent and the outcome is unknown: it is sent again.
    case sent
    /// It was accepted.
    case acknowledged
    /// It was refused permanently and set aside: later entries are sent.
    case refused
    /// The operator has decided not to send it.
    case dropped

    /// Whether it still has to be sent.
    public var isOpen: Bool { self == .waiting || self == .sent }
}
