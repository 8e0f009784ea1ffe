/// How far a work order has come.
public enum OrderState: String, CaseIterable, Codable, Sendable {
    /// It is being written: nobody works at it.
    case draft
    /// Only the first units are worked at, until they have passed.
    case golden
    /// It is worked at.
    case open
    /// No further unit is begun until an approver releases it; those that run go on.
    case held
    /// Every unit is on its firmware.
    case done
    /// It was given up. Units that run go on to their end.
    case cancelled
}
