/// What the engine says to a result.
public enum DeliveryAnswer: Hashable, Sendable {
    /// It is kept.
    case stored(Status)
    /// It was there already, with the same content.
    case duplicate(Status)
    /// It will never be kept: why. The station sets it aside, and the others flow.
    case refused(code: String, message: String)
}

/// What a result counts for.
public enum Status: String, CaseIterable, Codable, Sendable {
    /// It came under the latest claim of its unit, which has moved by it.
    case current
    /// Another claim had been made since: it is kept and shown, and moves nothing.
    case late
    /// It is of a unit or an order that the engine does not know: it is kept and shown.
    case unplanned
}
