/// The work server's answer to a result.
public enum DeliveryAnswer: Hashable, Sendable {
    /// It was stored.
    case stored(Status)
    /// It was already stored, with the same content.
    case duplicate(Status)
    /// It will never be stored: the reason. The station sets it aside and continues with the others.
    case refused(code: String, message: String)
}

/// The effect of a result.
public enum Status: String, CaseIterable, Codable, Sendable {
    /// It belongs to the latest claim of its unit, and has changed the unit's state.
    case current
    /// A later claim exists: it is stored and shown, without effect.
    case late
    /// The work server does not know its unit or order: it is stored and shown.
    case unplanned
}
