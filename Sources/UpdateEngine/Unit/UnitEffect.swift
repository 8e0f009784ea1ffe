import UpdateCore

/// What a unit's update tells on the way to its next step. Nothing comes back from it.
enum UnitEffect: Sendable {
    /// Tell of an event.
    case report(UpdateEvent)
    /// Tell of a notice, and count what it says.
    case notice(UpdateNotice)
    /// Something begins again, at an offset in bytes.
    case retry(FailureCode, from: Int)
    /// Write to the log.
    case log(String)
    /// The unit has answered over the link: who was heard up to now is not it.
    case answered
    /// The unit is in its application, and will not be elsewhere before it was told to go.
    case inApplication
    /// Who is heard from now on may be the unit itself.
    case closeNearbyScan
}
